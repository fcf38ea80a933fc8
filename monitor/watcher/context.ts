/** What every task gets, and the shape of a task (contract 01 §4, §5). Types only. */
import type { WatcherConfig } from "../../config/watcher.ts";
import type { EmitPlace } from "../_emit/place.ts";
import type { Vitals } from "../_liveness/own-vitals.ts";
import type { Doors } from "../_sys/doors.ts";

/** One run of a task. `doors` is guarded: after an abandoned run it refuses every write, key, paste and request. */
export interface TaskRun {
	readonly signal: AbortSignal;
	/** In the grace period after a clock gap: nothing is judged dead, respawned or killed (contract 01 §3.3). */
	readonly afterGap: boolean;
	/** A line for `<stage>/<name>.err`, replayed into the log when the run is reaped. */
	readonly log: (line: string) => void;
	readonly doors: Doors;
}

/** `out`, when given, is staged as `<stage>/<name>.out`. rc 75 = defer. */
export interface TaskResult {
	readonly rc: number;
	readonly out?: string;
}
export type TaskFn = (run: TaskRun) => Promise<TaskResult>;
export type TaskClass = "cheap" | "medium" | "expensive";

/** What every task knows and may ask. Fixed for the life of the watcher process. */
export interface WatcherContext extends EmitPlace {
	readonly scheduler: SchedulerPort;
	/** Heartbeat, progress, cycle: a compose that ends correctly says so here (contract 01 §11.7). */
	readonly vitals: Vitals;
}

/** What a task may ask of the scheduler. Code 64 = unknown task, 0 = done. */
export interface SchedulerPort {
	fireNow(name: string): number;
	override(
		name: string,
		intervalSeconds: number,
		durationSeconds: number,
	): number;
	skipUntil(name: string, epochSeconds: number): number;
	isRegistered(name: string): boolean;
	/** When the task is next due, epoch seconds (0 = at once); null when unknown. */
	nextFireOf(name: string): number | null;
}

/** A row of the task table (contract 01 §5): data, so that the table can be read and tested. */
export interface TaskSpec {
	readonly name: string;
	/** Seconds; 0 or `enabled: false` = not registered, one log line. */
	readonly intervalSeconds: (config: WatcherConfig) => number;
	readonly class: TaskClass;
	readonly async: boolean;
	readonly enabled?: (config: WatcherConfig) => boolean;
	readonly make: (ctx: WatcherContext) => TaskFn;
}
