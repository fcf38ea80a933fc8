/** Waiting for runs in flight: to take their results, or to let them go (contract 01 §2.1.15, §4). */
import type { Clock } from "../../_sys/doors.ts";
import { startLimit } from "./limit.ts";
import type { Run } from "./run.ts";

/** Calls `reap` as runs settle until none is in flight or `seconds` have passed; true when all were taken. */
export async function drainRuns(
	clock: Clock,
	flights: () => readonly Run[],
	reap: () => void,
	seconds: number,
): Promise<boolean> {
	const limit = startLimit(clock, seconds * 1000);
	for (;;) {
		reap();
		const runs = flights();
		if (runs.length === 0 || limit.passed()) break;
		await Promise.race([limit.reached, ...runs.map((run) => run.done)]);
	}
	limit.cancel();
	return flights().length === 0;
}

/** Aborts all, waits at most `ms`, and shuts their doors. */
export async function endRuns(
	clock: Clock,
	runs: readonly Run[],
	ms: number,
): Promise<void> {
	for (const run of runs) run.abort();
	const limit = startLimit(clock, ms);
	await Promise.race([limit.reached, Promise.all(runs.map((run) => run.done))]);
	limit.cancel();
	for (const run of runs) run.revoke();
}
