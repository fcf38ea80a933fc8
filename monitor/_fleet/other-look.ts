/** A look at the pane of a program that is not Claude Code: dialogs by the table, nothing of its box (contract 09 §6.5, §8). */
import type { LookAt, LookResult } from "../_pane/types.ts";
import type { Tmux } from "../_sys/doors.ts";
import { tmuxFailureText } from "../_sys/tmux-lookup.ts";
import {
	detectPermission,
	isSelectionPrompt,
	isTrustGate,
} from "./permission.ts";

/** `gone` only when tmux says that there is no such pane; any other failure is `unreadable`. */
export function otherLook(
	tmux: Pick<Tmux, "capture" | "exists">,
	runtime: string,
): LookAt {
	return async (pane, signal) => {
		const shot = await tmux.capture(pane.paneId, { escapes: false }, signal);
		if (shot.kind === "ok") return lookOf(runtime, shot.stdout);
		const gone = (await tmux.exists(pane.paneId, signal)) === "no";
		return gone
			? { kind: "gone", evidence: "pane-not-listed" }
			: { kind: "unreadable", reason: tmuxFailureText(shot) };
	};
}

/** Pure. */
function lookOf(runtime: string, text: string): LookResult {
	const overlay = dialogOn(runtime, text);
	return {
		kind: "ok",
		look: {
			state: overlay === null ? "unknown" : "blocked",
			input: null,
			overlay,
			menu: false,
			menuSelected: null,
			queued: false,
			composer: null,
			dialog: overlay === null ? null : { kind: "other" },
			line: "",
			sessionId: null,
		},
	};
}

function dialogOn(runtime: string, text: string): string | null {
	const pattern = detectPermission(runtime, text);
	if (pattern !== null) return pattern.id;
	if (isTrustGate(runtime, text)) return "trust";
	return isSelectionPrompt(text) ? "selection" : null;
}
