/**
 * Reports whose delivery was cut off between the first key and what is learned from it (contract 01 §4.1): by a watcher
 * that was killed, or by an Enter that came only later. What provably arrived is learned and not told again.
 */

import { updateEmitRing } from "../_state/emit-ring.ts";
import {
	lastSnapshotPath,
	writeLastSnapshot,
} from "../_state/last-snapshot.ts";
import {
	dropPendingDelivery,
	type PendingDelivery,
	readPendingDeliveries,
	readPendingDelivery,
} from "../_state/pending-delivery.ts";
import { dropUntoldBaseline } from "../_state/untold-baseline.ts";
import { ageSeconds } from "../_sys/age.ts";
import { pushRing, stableHash } from "./dedup.ts";
import { type GatherFrom, gather } from "./gather.ts";
import type { EmitPlace } from "./place.ts";
import type { EmitProviders, ProviderRun } from "./providers.ts";
import { type Lesson, settle } from "./settle.ts";

/** Did it arrive? `open`: it lies in the box, and may still. `unknown`: nobody could look. */
export type Arrival = "yes" | "no" | "open" | "unknown";
export type FindArrival = (pending: PendingDelivery) => Promise<Arrival>;

/** Pure. Doubt tells again: a report that comes twice is better than one that never came. */
export function decidePast(
	arrival: Arrival,
	age: number | null,
): "learn" | "keep" | "drop" {
	if (arrival === "yes") return "learn";
	return arrival === "open" && age !== null ? "keep" : "drop";
}

/** A box that nobody has emptied for so long is not the report's any more. */
const KEPT_SECONDS = 86_400;

export interface PastParts {
	readonly providers: EmitProviders;
	readonly stagedOf: GatherFrom["stagedOf"];
	readonly afterCommit: GatherFrom["afterCommit"];
	readonly arrival: FindArrival;
	/** What else may learn from such a report. */
	readonly furtherLessons?: (body: string) => readonly Lesson[];
}

/** Called before anything is composed. One look at a folder when there is none, as nearly always. */
export async function settlePast(
	run: ProviderRun,
	place: EmitPlace,
	parts: PastParts,
): Promise<void> {
	const { files, clock, log } = run.doors;
	const { stateDir } = place;
	for (const pending of readPendingDeliveries(files, stateDir)) {
		if (run.signal.aborted) return;
		// Under way in another task of ours.
		if (pending.sender === place.startedAt) continue;
		const arrival = await parts.arrival(pending);
		// A look that was cut off itself proves nothing: the next run looks again.
		if (run.signal.aborted) return;
		const age = ageSeconds(clock.now(), pending.at, KEPT_SECONDS);
		const isKept = age !== null && age < KEPT_SECONDS;
		const ruling = decidePast(arrival, isKept ? age : null);
		log.info(
			`emit ${pending.archive} was cut off: arrived=${arrival} ${ruling}`,
		);
		if (ruling === "keep") continue;
		if (ruling === "learn") await learn(run, place, parts, pending);
		if (run.signal.aborted) return;
		// Since the look another task of ours may have begun to send it again.
		const now = readPendingDelivery(files, stateDir, pending.archive);
		if (now?.sender !== place.startedAt)
			dropPendingDelivery(files, stateDir, pending.archive);
	}
}

/** Gathers what would be told now, and lets what stands in the old body learn. Each step may be made twice. */
async function learn(
	run: ProviderRun,
	place: EmitPlace,
	parts: PastParts,
	{ archive, body, baseline }: PendingDelivery,
): Promise<void> {
	const { doors } = run;
	const { stateDir, config } = place;
	const { stagedOf, afterCommit } = parts;
	const from = { bells: [], live: null, stagedOf, afterCommit };
	const gathered = await gather(run, parts.providers, from);
	try {
		const lessons = [
			...gathered.lessonsOfPast(body),
			...(parts.furtherLessons?.(body) ?? []),
		];
		await settle(
			{ kind: "delivered", archive },
			lessons,
			doors.files,
			stateDir,
		);
	} finally {
		await gathered.release();
	}
	if (config["monitor.emit_dedup_max_quiet_seconds"] > 0)
		await updateEmitRing(doors, stateDir, (ring) =>
			pushRing(
				ring,
				stableHash(body),
				doors.clock.now(),
				config["monitor.emit_dedup_ring_size"],
			),
		);
	if (baseline === null) return;
	// It told of local changes, so none up to its own snapshot is untold any more.
	dropUntoldBaseline(doors.files, stateDir);
	if (doors.files.stat(lastSnapshotPath(stateDir)).kind === "ok")
		writeLastSnapshot(doors.files, stateDir, baseline);
}
