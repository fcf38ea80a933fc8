/** What the scheduler holds of one registered task. */
import type { TaskClass, TaskFn } from "../context.ts";
import type { Run } from "./run.ts";
import type { Timing } from "./timing.ts";
import type { InFlight } from "./watchdog.ts";

export interface TaskOptions {
	readonly class?: TaskClass;
	readonly async?: boolean;
	readonly disabled?: boolean;
}

/**
 * The run of an async task that has not been reaped yet. It is its own generation: results are fetched
 * from here, so a run that was given up has no way to hand one in.
 */
export interface Flight extends InFlight {
	readonly run: Run;
}

export interface Task {
	readonly name: string;
	fn: TaskFn;
	class: TaskClass;
	async: boolean;
	enabled: boolean;
	timing: Timing;
	flight: Flight | null;
	/** Watchdog kills in a row. */
	killStreak: number;
	/** The last `.out` could not be written; said once until it works again. */
	stageFailed: boolean;
}

/** With nothing in flight. */
export function newTask(
	what: Pick<Task, "name" | "fn" | "class" | "async" | "enabled" | "timing">,
): Task {
	return { ...what, flight: null, killStreak: 0, stageFailed: false };
}
