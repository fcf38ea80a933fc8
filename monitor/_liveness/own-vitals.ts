/** The three files by which the running watcher says that it lives, moves and completes cycles (contract 01 §3). */
import {
	bumpCycle,
	peekWatcherCycle,
	resetCycle,
	writeWatcherCycle,
} from "../_state/watcher-cycle.ts";
import { writeWatcherHeartbeat } from "../_state/watcher-heartbeat.ts";
import {
	type ProgressStage,
	writeWatcherProgress,
} from "../_state/watcher-progress.ts";
import type { Doors, WriteResult } from "../_sys/doors.ts";

export interface VitalsOf {
	readonly stateDir: string;
	readonly target: string;
	readonly intervalSeconds: number;
	/** `MONITOR_LOOP_PERIOD_WARN_MULT`: a cycle longer than so many intervals is warned about. */
	readonly slowFactor: number;
}

export interface Vitals {
	/** The process exists and gets scheduled. */
	readonly beat: () => WriteResult;
	/** The loop moves. */
	readonly progress: (stage: ProgressStage) => WriteResult;
	/** A compose cycle came to its correct end. */
	readonly cycleEnded: () => WriteResult;
	/** A new process: a fresh cycle clock, the learned average kept. */
	readonly cycleReset: () => WriteResult;
}

/** Best effort: a disk that refuses is the write probe's business; the results are for whoever wants to say so. */
export function ownVitals(
	doors: Pick<Doors, "clock" | "files" | "log" | "proc">,
	of: VitalsOf,
): Vitals {
	const { clock, files, log, proc } = doors;
	const { stateDir } = of;
	const stamp = () => {
		const epoch = clock.now();
		return { pid: proc.pid, epoch, ts: clock.iso(epoch) };
	};
	const lastCycle = () => {
		const read = peekWatcherCycle(files, stateDir);
		return read.kind === "ok" ? read.value : null;
	};
	return {
		beat: () => {
			const { pid, ts } = stamp();
			return writeWatcherHeartbeat(files, stateDir, {
				pid,
				ts,
				target: of.target,
			});
		},
		progress: (stage) =>
			writeWatcherProgress(files, stateDir, { ...stamp(), stage }),
		cycleEnded: () => {
			const cycle = bumpCycle(lastCycle(), stamp());
			const limit = of.intervalSeconds * of.slowFactor;
			if (cycle.periodSeconds > limit)
				log.warn(
					`slow cycle: ${cycle.periodSeconds}s since the last one (interval ${of.intervalSeconds}s)`,
				);
			return writeWatcherCycle(files, stateDir, cycle);
		},
		cycleReset: () =>
			writeWatcherCycle(files, stateDir, resetCycle(lastCycle(), stamp())),
	};
}
