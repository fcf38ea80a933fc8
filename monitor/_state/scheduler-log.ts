/** `watcher-scheduler.jsonl`: one JSON line per scheduler event, for the operator and the liveness verdict (contract 01 §4). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

export type SchedulerPhase =
	| "sync"
	| "async-start"
	| "async-done"
	| "async-timeout";

export interface SchedulerEvent {
	readonly ts: string;
	readonly task: string;
	readonly rc: number;
	readonly elapsedMs: number;
	readonly nextFire: number;
	readonly phase: SchedulerPhase;
}

/** `override` is the value of `MONITOR_SCHEDULER_LOG`. */
export function schedulerLogPath(
	stateDir: string,
	override: string | null = null,
): string {
	return override ?? join(stateDir, "watcher-scheduler.jsonl");
}

/** Keys in the order that readers of the reference rely on. */
function renderSchedulerEvent(e: SchedulerEvent): string {
	const row = {
		ts: e.ts,
		task: e.task,
		rc: e.rc,
		elapsed_ms: Math.round(e.elapsedMs),
		next_fire: e.nextFire,
		phase: e.phase,
	};
	return `${JSON.stringify(row)}\n`;
}

/** Best effort: telemetry that cannot be written must not stop the loop. */
export function appendSchedulerEvent(
	files: Files,
	path: string,
	event: SchedulerEvent,
): void {
	files.append(path, renderSchedulerEvent(event), { mode: 0o640 });
}
