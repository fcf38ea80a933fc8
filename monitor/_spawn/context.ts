/** What every part of `spawn-worker` is given. Types only. */
import type { WorkerRules } from "../_pane/workers.ts";
import type { Home } from "../_state/home.ts";
import type { Doors } from "../_sys/doors.ts";

export interface SpawnContext {
	readonly doors: Doors;
	readonly home: Home;
	readonly settings: SpawnSettings;
	/** The caller's folder; relative paths start there. */
	readonly cwd: string;
	readonly out: (line: string) => void;
	/** One line for people, on stderr. */
	readonly err: (line: string) => void;
}
export interface SpawnSettings {
	/** Name of the orchestrator's window. */
	readonly targetWindow: string;
	/** Which names the watcher takes for a worker's. */
	readonly workers: WorkerRules;
	/** `monitor.retain.use_loop_wrapper`. */
	readonly useLoop: boolean;
	/** The inbox of requests; null when it cannot be used. */
	readonly inbox: string | null;
}

/** A warning: the start goes on. */
export function warn(ctx: Pick<SpawnContext, "err">, message: string): void {
	ctx.err(`spawn-worker: ${message}`);
}
