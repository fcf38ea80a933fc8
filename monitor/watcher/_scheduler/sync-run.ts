/** A sync run: awaited inside the tick, under a limit (contract 01 §4). */
import { RC_TIMEOUT } from "./flight.ts";
import { startLimit } from "./limit.ts";
import { keepEvent, keepLines, keepOut, type OutcomePlace } from "./outcome.ts";
import { type RunParts, startRun } from "./run.ts";
import type { Task } from "./task.ts";
import { nextFire } from "./timing.ts";

const LIMIT_MS = 30_000;
/** What a run gets to end in once shutdown was asked for. */
const SHUTDOWN_LIMIT_MS = 3_000;

/** Returns when the run ended or its limit passed, whichever is first; a shutdown shortens the limit. */
export async function runSync(
	place: OutcomePlace,
	task: Task,
	parts: RunParts,
	now: number,
	shutdown: AbortSignal,
): Promise<void> {
	const { clock } = parts.doors;
	// Set before the run, so that a `fireNow` during the run is told from the one that started it.
	task.timing = { ...task.timing, nextFire: nextFire(task.timing, 0, now) };
	const run = startRun(task.fn, parts);
	const limit = startLimit(clock, LIMIT_MS);
	const onShutdown = () => {
		run.abort();
		limit.restart(SHUTDOWN_LIMIT_MS);
	};
	shutdown.addEventListener("abort", onShutdown, { once: true });
	await Promise.race([run.done, limit.reached]);
	shutdown.removeEventListener("abort", onShutdown);
	limit.cancel();

	const settled = run.settled();
	if (settled === null) {
		run.abort();
		parts.doors.log.warn(
			`scheduler[${task.name}] did not end in time; aborted`,
		);
	}
	run.revoke();
	const rc = settled?.rc ?? RC_TIMEOUT;
	const ended = { ...task.timing, lastFire: clock.now() };
	const askedAgain = task.timing.nextFire === 0;
	task.timing = {
		...ended,
		nextFire: askedAgain ? 0 : nextFire(ended, rc, clock.now()),
	};
	keepOut(place, task, settled?.out);
	const elapsedMs = settled?.elapsedMs ?? clock.monoMs() - run.startedMs;
	keepEvent(place, task, "sync", rc, elapsedMs);
	keepLines(place, task, rc, run.lines);
}
