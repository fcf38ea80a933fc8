/** Where reports are made, and for whom. The watcher's context is one. Types only. */

import type { WatcherConfig } from "../../config/watcher.ts";
import type { LookAtFleet } from "../_pane/sweep.ts";
import type { ActionLogReader } from "../_state/action-log.ts";
import type { PaneRows } from "../_sys/doors.ts";

export interface EmitPlace {
	readonly root: string;
	readonly stateDir: string;
	/** `MONITOR_SCHEDULER_STAGE_DIR`, else `<S>/scheduler-staging`. */
	readonly stageDir: string;
	/** Private scratch folder. */
	readonly scratchDir: string;
	readonly codeRoot: string;
	/** Name of the window that gets the reports. */
	readonly target: string;
	readonly config: WatcherConfig;
	/** Start of this process by the disk's clock, epoch seconds with a fraction: older staging files are a predecessor's. */
	readonly startedAt: number;
	/**
	 * The one `list-panes -a` of this tick, shared by every task that only wants to know what is
	 * there. Whoever pastes or presses a key looks anew through its own doors.
	 */
	readonly panesThisTick: () => Promise<PaneRows>;
	/** The one picture of the whole fleet, under the same rule; a task says how old it may be. */
	readonly fleetThisTick: LookAtFleet;
	/** `WINDOW_EVENTS` of the action log; each look reads on where the last one ended. */
	readonly windowEventLog: ActionLogReader;
}
