/** Where the report pipeline works; the watcher's context is one. */
import type { WatcherConfig } from "../../config/watcher.ts";
import type { LookAtFleet } from "../_pane/sweep.ts";
import type { PaneRows } from "../_sys/doors.ts";

export interface EmitPlace {
	readonly root: string;
	readonly stateDir: string;
	readonly stageDir: string;
	readonly scratchDir: string;
	readonly codeRoot: string;
	/** Name of the window that gets the reports. */
	readonly target: string;
	readonly config: WatcherConfig;
	/** Epoch seconds; what was staged before is a predecessor's. */
	readonly startedAt: number;
	readonly panesThisTick: () => Promise<PaneRows>;
	readonly fleetThisTick: LookAtFleet;
}
