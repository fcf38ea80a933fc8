/** Did the Enter send it? Windows of waiting for evidence, with at most one further Enter between two (contract 04 §5.5 steps 7–9). */
import type { LookResult } from "../_pane/types.ts";
import type { RecordKind } from "./evidence.ts";
import type { DeliveryJob } from "./job.ts";
import { mayPressEnter } from "./look.ts";
import type { DeliverOutcome, FailStep } from "./outcome.ts";
import { pressEnter } from "./submit.ts";
import type { TranscriptSight } from "./transcript.ts";
import { type PaneVerdict, verdictOf } from "./verdict.ts";
import { watchWindow } from "./window.ts";

/** What speaks for a delivery, and what the transcript looks like without it. */
export interface EvidenceSource {
	/** Null: nothing yet. */
	proof(): RecordKind | null;
	sight(): TranscriptSight;
}

export interface Confirmed {
	readonly outcome: DeliverOutcome;
	readonly reason?: string;
	readonly enterRetries: number;
	readonly failStep?: FailStep;
}

/**
 * Called right after the first Enter. There is no blind Enter: each one has a look of its own. An
 * abort stops further keys and not the looking: what was sent is known before the caller goes on.
 */
export async function confirm(
	job: DeliveryJob,
	evidence: EvidenceSource,
): Promise<Confirmed> {
	const windows = job.timings.confirmWindowsMs;
	let enterRetries = 0;
	for (const [at, windowMs] of windows.entries()) {
		const seen = await watchWindow(job, evidence, windowMs);
		const next = await afterWindow(job, seen);
		// The record may have come while the last look was taken.
		const proof =
			evidence.proof() ??
			(next === "blocked" ? await lateProof(job, evidence) : null);
		if (proof !== null)
			return { outcome: delivered(proof, enterRetries), enterRetries };
		if (next !== "enter" || at === windows.length - 1) {
			const verdict = next === "enter" ? "held" : next;
			const outcome = finalOutcome(verdict, evidence.sight());
			return { outcome, enterRetries };
		}
		const entered = await pressEnter(job);
		if (entered.kind === "failed")
			return { outcome: "tmux-failed", enterRetries, failStep: entered.step };
		if (entered.kind === "aborted") return { outcome: "held", enterRetries };
		enterRetries++;
	}
	return { outcome: finalOutcome("unknown", evidence.sight()), enterRetries };
}

const LATE_PROOF_MS = 2000;

/**
 * A dialog right behind our Enter says nothing of our text: a running turn asks its question just when the text has
 * been taken, and the transcript lags the screen. So it is asked for a while before anybody is told "not delivered".
 */
async function lateProof(
	{ doors, timings }: DeliveryJob,
	evidence: EvidenceSource,
): Promise<RecordKind | null> {
	if (evidence.sight().source === "none") return null;
	const end = doors.clock.monoMs() + LATE_PROOF_MS;
	while (doors.clock.monoMs() < end) {
		await doors.clock.sleep(timings.pollMs);
		const proof = evidence.proof();
		if (proof !== null) return proof;
	}
	return null;
}

/** A held box gets a look of its own; it is entered only when it is ours. */
async function afterWindow(
	job: DeliveryJob,
	seen: PaneVerdict | "proven",
): Promise<PaneVerdict | "enter"> {
	if (seen === "proven") return "clear";
	if (seen !== "held") return seen;
	return heldBox(await job.lookAt(job.pane), job);
}

/** Pure: what a fresh look at a box that held text means. Not provably ours = somebody's draft. */
function heldBox(
	fresh: LookResult,
	job: Pick<DeliveryJob, "payload" | "command">,
): PaneVerdict | "enter" {
	const permit = mayPressEnter(fresh, job.payload, job.command);
	if (permit.kind === "yes") return "enter";
	const now = verdictOf(fresh, "after");
	return now === "held" || now === "unknown" ? "draft" : now;
}

/** Pure: the end without evidence. Only a transcript that was read and stood still is a "no". */
function finalOutcome(
	verdict: PaneVerdict,
	sight: Pick<TranscriptSight, "source" | "grew">,
): DeliverOutcome {
	if (verdict === "blocked") return "blocked";
	if (verdict === "held") return "held";
	if (verdict === "draft") return "undecidable-box";
	if (sight.source === "none") return "unverifiable";
	if (sight.grew || verdict === "queued") return "in-flight";
	return sight.source === "readable" ? "inert" : "unverifiable";
}

function delivered(proof: RecordKind, enterRetries: number): DeliverOutcome {
	const word = proof === "enqueue" ? "queued" : "submitted";
	return enterRetries > 0 ? `${word}-after-retry` : word;
}
