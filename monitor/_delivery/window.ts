/** One window of waiting after an Enter (contract 04 §5.5 step 7). */
import type { EvidenceSource } from "./confirm.ts";
import type { DeliveryJob } from "./job.ts";
import { type PaneVerdict, verdictOf } from "./verdict.ts";

/** The look at this poll comes before the program can have redrawn; it ends nothing when it reads `held`. */
const EARLY_POLL = 2;
/** Readings in a row that count: one frame can be between two pictures. */
const IN_A_ROW = 2;
const RECHECK_MS = 1000;

/** Polls evidence, and now and then the pane, until it is settled; the last verdict, or `proven`. */
export async function watchWindow(
	job: DeliveryJob,
	evidence: EvidenceSource,
	windowMs: number,
): Promise<PaneVerdict | "proven"> {
	const { clock } = job.doors;
	const { pollMs, heldCheckMs } = job.timings;
	const start = clock.monoMs();
	let readings: PaneVerdict[] = [];
	let lookedAt = start;
	for (let poll = 1; ; poll++) {
		if (evidence.proof() !== null) return "proven";
		const early = poll === EARLY_POLL;
		if (
			early ||
			(poll > EARLY_POLL && clock.monoMs() - lookedAt >= heldCheckMs)
		) {
			lookedAt = clock.monoMs();
			const verdict = await read(job);
			if (verdict === "blocked") return verdict;
			readings = early && verdict === "held" ? [] : [...readings, verdict];
			if (endsEarly(readings, evidence.sight().source === "none")) break;
		}
		if (clock.monoMs() - start >= windowMs) break;
		await clock.sleep(pollMs);
	}
	if (isLone(readings)) {
		await clock.sleep(RECHECK_MS);
		readings = [...readings, await read(job)];
	}
	return readings.at(-1) ?? read(job);
}

/** Pure. Held twice: it will not go by itself. Without any evidence, not held twice: there is nothing to wait for. */
function endsEarly(
	readings: readonly PaneVerdict[],
	noEvidence: boolean,
): boolean {
	const last = readings.slice(-IN_A_ROW);
	if (last.length < IN_A_ROW) return false;
	if (last.every((verdict) => verdict === "held")) return true;
	return noEvidence && last.every((verdict) => verdict !== "held");
}

/** A single last reading of these may be one frame; it is read once more. */
function isLone(readings: readonly PaneVerdict[]): boolean {
	const last = readings.at(-1);
	if (last !== "clear" && last !== "queued" && last !== "draft") return false;
	return readings.at(-2) !== last;
}

async function read(job: DeliveryJob): Promise<PaneVerdict> {
	return verdictOf(await job.lookAt(job.pane), "after");
}
