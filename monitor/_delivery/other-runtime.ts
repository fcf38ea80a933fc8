/**
 * Text into the pane of a program that is not Claude Code (contract 09 §6.5). It has no transcript and a box that we
 * cannot read: a dialog is all that is looked for, and a picture that changes after the Enter is the evidence.
 */
import type { LookResult } from "../_pane/types.ts";
import { clean } from "./clean.ts";
import type { DeliveryJob } from "./job.ts";
import type { DeliverOutcome, FailStep } from "./outcome.ts";
import { type Pasted, pasteIntoBox, pressEnter } from "./submit.ts";

export interface OtherEnd {
	readonly outcome: DeliverOutcome;
	readonly reason?: string;
	readonly failStep?: FailStep;
}

/** From the Enter to the picture that must differ. */
const EVIDENCE_MS = 300;

/** The caller holds the window's paste lock. `job.lookAt` is the reader of this runtime. */
export async function deliverToOther(
	job: Omit<DeliveryJob, "payload">,
	text: string,
): Promise<OtherEnd> {
	const payload = clean(text, { command: job.command }).text;
	if (payload.trim() === "")
		return { outcome: "clean-failed", reason: "nothing to paste" };
	const before = await job.lookAt(job.pane, job.signal);
	const refused = refusalOf(before);
	if (refused !== null) return refused;
	const pasted = await pasteIntoBox({ ...job, payload });
	if (pasted.kind !== "sent") return notSent(pasted);
	const { clock } = job.doors;
	await clock.sleep(job.timings.settleMs, job.signal);
	const seen = await job.lookAt(job.pane, job.signal);
	if (refusalOf(seen) !== null) {
		const reason = seen.kind === "ok" ? "overlay" : "unreadable";
		return { outcome: "blocked-after-paste", reason };
	}
	const shown = await picture(job);
	const entered = await pressEnter({ ...job, payload });
	if (entered.kind !== "sent") return notSent(entered);
	await clock.sleep(EVIDENCE_MS, job.signal);
	const after = await picture(job);
	const isChanged = shown !== null && after !== null && shown !== after;
	return { outcome: isChanged ? "submitted" : "unverifiable" };
}

function refusalOf(seen: LookResult): OtherEnd | null {
	if (seen.kind === "gone") return { outcome: "dead-pane" };
	if (seen.kind === "unreadable")
		return { outcome: "unreadable-before-paste", reason: seen.reason };
	const { overlay } = seen.look;
	return overlay === null
		? null
		: { outcome: "blocked-before-paste", reason: overlay };
}

async function picture({
	doors,
	pane,
}: Pick<DeliveryJob, "doors" | "pane">): Promise<string | null> {
	const shot = await doors.tmux.capture(pane.paneId, { escapes: false });
	return shot.kind === "ok" ? shot.stdout : null;
}

function notSent(end: Exclude<Pasted, { kind: "sent" }>): OtherEnd {
	switch (end.kind) {
		case "aborted":
			return { outcome: "aborted" };
		case "dead":
			return { outcome: "dead-pane" };
		case "unknown":
			return { outcome: "pane-unknown" };
		case "failed":
			return { outcome: "tmux-failed", reason: end.why, failStep: end.step };
	}
}
