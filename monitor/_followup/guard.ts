/** May this pane get a follow-up? Asked before the ledger's row, so that a refusal leaves no trace (contract 04 §7). */
import type { TextDeps } from "../_delivery/deliver-text.ts";
import { verdictOf } from "../_delivery/verdict.ts";
import type { LookResult } from "../_pane/types.ts";
import { readLeftover } from "../_state/paste-leftover.ts";
import type { PaneRow } from "../_sys/doors.ts";

export type Guard =
	| {
			readonly kind: "ok";
			readonly sessionId: string | null;
			/** The dialog that `--allow-blocked` overrules. */
			readonly overlay: string | null;
	  }
	| { readonly kind: "refused"; readonly message: string };

/** Looks until the pane can be read, at most as long as a delivery would. */
export async function guardPane(
	{ doors, stateDir, lookAt, timings }: TextDeps,
	pane: PaneRow,
	window: string,
	allowBlocked: boolean,
): Promise<Guard> {
	const { clock, files } = doors;
	const end = clock.monoMs() + timings.unreadableLimitMs;
	for (;;) {
		const seen = await lookAt(pane);
		const isUnread = verdictOf(seen, "before-paste") === "unknown";
		if (!isUnread || clock.monoMs() >= end) {
			const hasLeftover = readLeftover(files, stateDir, window) !== null;
			return judge(seen, { allowBlocked, hasLeftover });
		}
		await clock.sleep(timings.unreadableMs);
	}
}

/** Pure. `hasLeftover`: the text in the box may be ours; the delivery finds out. */
function judge(
	seen: LookResult,
	f: { readonly allowBlocked: boolean; readonly hasLeftover: boolean },
): Guard {
	const sessionId = seen.kind === "ok" ? seen.look.sessionId : null;
	switch (verdictOf(seen, "before-paste")) {
		case "gone":
			return refused("no agent runs in the window");
		case "unknown":
			return refused("could not look at the pane, try again");
		case "held":
		case "draft":
			return f.hasLeftover
				? { kind: "ok", sessionId, overlay: null }
				: refused("somebody's text is in its input box");
		case "blocked": {
			const overlay = blockedBy(seen);
			if (overlay === "menu") return refused("a completion menu is open in it");
			return f.allowBlocked
				? { kind: "ok", sessionId, overlay }
				: refused(
						`a dialog is up (overlay=${overlay}); answer it, or give --allow-blocked`,
					);
		}
		case "clear":
		case "queued":
			return { kind: "ok", sessionId, overlay: null };
	}
}

function blockedBy(seen: LookResult): string {
	if (seen.kind !== "ok") return "unreadable";
	return seen.look.overlay ?? (seen.look.menu ? "menu" : "dialog");
}

function refused(message: string): Guard {
	return { kind: "refused", message };
}
