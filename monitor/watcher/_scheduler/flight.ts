/** An async run from launch to reap, abort or abandonment (contract 01 §4). Nothing here waits. */
import { writeErr } from "../../_state/staging.ts";
import { keepEvent, keepLines, keepOut, type OutcomePlace } from "./outcome.ts";
import { type RunParts, startRun } from "./run.ts";
import type { Flight, Task } from "./task.ts";
import { deferAsync, nextFire, RC_DEFER } from "./timing.ts";
import { asyncBudget, watchdog } from "./watchdog.ts";

export const RC_TIMEOUT = 124;

export interface FlightRules extends OutcomePlace {
	readonly timeoutFloorSeconds: number;
	readonly backoffCap: number;
}

/** Due times are counted from the launch, so a slow run does not stretch its own cadence. */
export function launch(
	place: FlightRules,
	task: Task,
	parts: RunParts,
	now: number,
): void {
	const started = { ...task.timing, lastFire: now };
	task.timing = { ...started, nextFire: nextFire(started, 0, now) };
	writeErr(place.doors.files, place.stageDir, task.name, []);
	const run = startRun(task.fn, parts);
	task.flight = { run, budgetFromMs: run.startedMs, abortedAtMs: null };
	keepEvent(place, task, "async-start", 0, 0);
}

/** Takes the result of a settled run, else lets the watchdog look. True when a result was taken. */
export function supervise(place: FlightRules, task: Task): boolean {
	const flight = task.flight;
	if (flight === null) return false;
	if (flight.run.settled() !== null) return reap(place, task, flight);
	const monoMs = place.doors.clock.monoMs();
	const budget = budgetOf(place, task);
	const verdict = watchdog(flight, budget, monoMs);
	if (verdict === "abort") abort(place, task, flight, monoMs);
	if (verdict === "abandon") abandon(place, task, flight);
	return false;
}

function reap(place: FlightRules, task: Task, flight: Flight): boolean {
	const result = flight.run.settled();
	if (result === null) return false;
	task.flight = null;
	flight.run.revoke();
	keepOut(place, task, result.out);
	if (flight.abortedAtMs !== null) {
		// It settled after its abort: its output counts, the verdict of the watchdog stands.
		keepLines(place, task, RC_TIMEOUT, flight.run.lines);
		return true;
	}
	task.killStreak = 0;
	if (result.rc === RC_DEFER)
		task.timing = deferAsync(task.timing, place.doors.clock.now());
	keepEvent(place, task, "async-done", result.rc, result.elapsedMs);
	keepLines(place, task, result.rc, flight.run.lines);
	return true;
}

function abort(
	place: FlightRules,
	task: Task,
	flight: Flight,
	monoMs: number,
): void {
	const spent = budgetOf(place, task);
	flight.run.abort();
	task.flight = { ...flight, abortedAtMs: monoMs };
	task.killStreak += 1;
	const age = monoMs - flight.run.startedMs;
	keepEvent(place, task, "async-timeout", RC_TIMEOUT, age);
	place.doors.log.warn(
		`scheduler[${task.name}] aborted after ${Math.round(age / 1000)}s (budget ${spent}s, next budget ${budgetOf(place, task)}s)`,
	);
}

/** The run ignored its signal. Whatever it still hands in is dropped, and its doors are shut for good. */
function abandon(place: FlightRules, task: Task, flight: Flight): void {
	task.flight = null;
	flight.run.revoke();
	keepLines(place, task, RC_TIMEOUT, flight.run.lines);
	place.doors.log.warn(
		`scheduler[${task.name}] did not end when aborted; the run is abandoned, its late result will be dropped`,
	);
}

function budgetOf(place: FlightRules, task: Task): number {
	return asyncBudget(
		task.timing.intervalSeconds,
		place.timeoutFloorSeconds,
		task.killStreak,
		place.backoffCap,
	);
}
