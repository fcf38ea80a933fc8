/** S4: takes one worker off the rate-limit menu and tells it to go on (contract 04 §8.4). */
import { deliverText, lineEnd } from "../../_delivery/deliver-text.ts";
import { press } from "../../_delivery/press.ts";
import { DELIVERIES, DISMISS_LIMIT_MENU } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import { menuFingerprint } from "../../_pane/fingerprint.ts";
import {
	keepAudit,
	type UnstickPlace,
	writeEpisode,
} from "../../_state/unstick.ts";
import { capturedRows } from "./captured-rows.ts";
import { stampKeys } from "./ledger.ts";
import { LOCK_MS, note, type SeenPane, type UnstickPass } from "./pass.ts";
import { continueBrief } from "./texts.ts";

/** True: it was told. */
export async function wakeWorker(
	pass: UnstickPass,
	pane: SeenPane,
	event: string | null,
): Promise<boolean> {
	const { hands, run } = pass;
	const { signal } = run;
	const work = await underPasteLock(
		hands,
		pane.window,
		LOCK_MS,
		signal,
		async (row) => {
			const rows = (await capturedRows(hands, row, signal)) ?? pane.rows;
			const fp = menuFingerprint(rows);
			const place = limitPlace(pass, pane);
			keepAudit(run.doors.files, place, fp, `${rows.join("\n")}\n`);
			const off = await press(hands, row, DISMISS_LIMIT_MENU, null, {
				limitMs: pass.ctx.config.UNSTICK_DISMISS_VERIFY_S * 1000,
				signal,
			});
			if (off.kind === "refused") return refused(off.why, "before-dismiss");
			if (off.kind !== "pressed") return refused(off.kind);
			if (!off.isDone) return refused("dismiss-unverified");
			stampKeys(pass, pane, DELIVERIES.S4.ledger);
			const end = lineEnd(
				await deliverText(hands, row, {
					window: pane.window,
					text: continueBrief(event),
					role: DELIVERIES.S4.role,
					signal,
				}),
			);
			if (end.kind === "deferred")
				return refused("operator-draft", "after-dismiss");
			if (end.kind === "failed") return refused(end.why);
			writeEpisode(run.doors.files, place, { fingerprint: fp, tries: 1 });
			return { fp, outcome: end.unconfirmed };
		},
	);
	const end = work.kind === "done" ? work.value : refused(work.kind);
	if ("reason" in end) {
		note(pass, line(pane, "cascade-refused", { ...end }));
		return false;
	}
	const { fp, outcome } = end;
	note(
		pass,
		line(pane, "cascade-resumed", {
			fp,
			...(outcome !== null && { outcome: `unconfirmed:${outcome}` }),
		}),
	);
	return true;
}

interface Refused {
	readonly reason: string;
	readonly stage?: string;
}

/** Only of a draft it matters when it was found. */
function refused(reason: string, stage?: string): Refused {
	return reason === "operator-draft" && stage !== undefined
		? { reason, stage }
		: { reason };
}

/** Files of a window's rate-limit menu. */
export function limitPlace(
	{ ctx }: UnstickPass,
	{ window }: SeenPane,
): UnstickPlace {
	return { stateDir: ctx.stateDir, window, dialog: "ratelimit" };
}

function line(
	{ window }: SeenPane,
	action: string,
	fields: Readonly<Record<string, string>>,
) {
	return { window, case: "B", action, fields };
}
