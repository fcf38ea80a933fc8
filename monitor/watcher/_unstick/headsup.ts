/** S5: tells the orchestrator that its workers were woken (contract 04 §8.4), now or in a later pass. */
import { deliverText, lineEnd } from "../../_delivery/deliver-text.ts";
import { press } from "../../_delivery/press.ts";
import { DELIVERIES, DISMISS_LIMIT_MENU } from "../../_delivery/sequences.ts";
import { underPasteLock } from "../../_delivery/under-lock.ts";
import {
	dropPendingHeadsup,
	readPendingHeadsup,
	writeCascade,
} from "../../_state/ratelimit-episode.ts";
import {
	LOCK_MS,
	note,
	noteOnce,
	subjectOf,
	type UnstickPass,
} from "./pass.ts";
import { headsupLine } from "./texts.ts";

/** `deferred`: somebody's text or a dialog is in the way, and nothing was pasted. */
export type HeadsUp = "delivered" | "deferred" | "failed";

/** `deferred` when the pane does not take text now; the caller keeps it for a later pass. */
export async function headsUp(
	pass: UnstickPass,
	woken: number,
	windows: readonly string[],
	event: string | null,
): Promise<HeadsUp> {
	const { hands, run, ctx } = pass;
	const { signal } = run;
	const work = await underPasteLock(
		hands,
		ctx.target,
		LOCK_MS,
		signal,
		async (row) => {
			const seen = await hands.lookAt(row, signal);
			if (seen.kind === "ok" && seen.look.dialog?.kind === "rate-limit") {
				const off = await press(hands, row, DISMISS_LIMIT_MENU, null, {
					signal,
				});
				if (off.kind !== "pressed")
					return { kind: "deferred", why: whyOf(off) } as const;
			}
			return lineEnd(
				await deliverText(hands, row, {
					window: ctx.target,
					text: headsupLine(woken, windows, event),
					role: DELIVERIES.S5.role,
					signal,
				}),
			);
		},
	);
	if (work.kind === "absent") {
		say(pass, "heads-up-skip", { reason: "window-missing" });
		return "failed";
	}
	const end =
		work.kind === "done"
			? work.value
			: ({ kind: "deferred", why: work.kind } as const);
	if (end.kind === "deferred") {
		sayOnce(pass, "heads-up-deferred", { reason: end.why });
		return "deferred";
	}
	if (end.kind === "failed") {
		say(pass, "heads-up-failed", { reason: end.why });
		return "failed";
	}
	const outcome = end.unconfirmed;
	say(
		pass,
		"heads-up",
		outcome === null ? {} : { outcome: `unconfirmed:${outcome}` },
	);
	pass.memory.told.delete(subjectOf({ window: null, case: "B" }));
	return "delivered";
}

/**
 * One that was deferred is tried in each pass. One that is given up never starts the clock of the
 * acknowledgement: it would blame the orchestrator for a message that nobody sent.
 */
export async function retryHeadsUp(pass: UnstickPass): Promise<void> {
	const { run, ctx, now } = pass;
	const { files } = run.doors;
	const pending = readPendingHeadsup(files, ctx.stateDir);
	if (pending === null) return;
	const isOld =
		pending !== "malformed" &&
		now - pending.at >= ctx.config.RATELIMIT_HEADSUP_DEFER_MAX_S;
	if (pending === "malformed" || isOld) {
		dropPendingHeadsup(files, ctx.stateDir);
		return say(pass, "heads-up-abandoned", {
			reason: isOld ? "too-old" : "malformed",
		});
	}
	const { woken, windows } = pending;
	if ((await headsUp(pass, woken, windows, null)) === "deferred") return;
	dropPendingHeadsup(files, ctx.stateDir);
	writeCascade(files, ctx.stateDir, now);
}

function whyOf(end: { readonly kind: string; readonly why?: string }): string {
	return end.why ?? end.kind;
}

function say(
	pass: UnstickPass,
	action: string,
	fields: Readonly<Record<string, string>>,
): void {
	note(pass, { window: null, case: "B", action, fields });
}

function sayOnce(
	pass: UnstickPass,
	action: string,
	fields: Readonly<Record<string, string>>,
): void {
	noteOnce(pass, { window: null, case: "B", action, fields }, "");
}
