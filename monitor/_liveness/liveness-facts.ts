/** Gathers what the verdict on the watcher rests on (contract 01 §3, §3.1). Looks only; writes nothing. */

import { instanceLockPath } from "../_state/instance-lock.ts";
import { mtimeOf } from "../_state/peek.ts";
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { peekWatcherCycle, watcherCyclePath } from "../_state/watcher-cycle.ts";
import {
	peekWatcherHeartbeat,
	watcherHeartbeatPath,
} from "../_state/watcher-heartbeat.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import { peekWatcherPid } from "../_state/watcher-pid.ts";
import { watcherProgressPath } from "../_state/watcher-progress.ts";
import type { Doors } from "../_sys/doors.ts";
import { membersOf } from "../_sys/process-group.ts";
import type { LivenessFacts } from "./verdict.ts";
import { checkWatcher, type WatcherIdentity } from "./watcher-process.ts";

export type LivenessDoors = Pick<Doors, "files" | "proc" | "clock" | "locks">;

/**
 * Ages in seconds, null where a file is absent or cannot be looked at; the caller's identity tells a live watcher
 * from a reused pid.
 */
export function gatherLiveness(
	doors: LivenessDoors,
	stateDir: string,
	identity: WatcherIdentity,
): LivenessFacts {
	const { files, clock, proc } = doors;
	const ageOf = (path: string): number | null => {
		const at = mtimeOf(files, path);
		return at === null ? null : Math.floor(clock.nowMs() / 1000 - at);
	};
	const pid = recordedPid(doors, stateDir);
	const cycle = peekWatcherCycle(files, stateDir);
	const period =
		cycle.kind === "ok"
			? cycle.value.emaSeconds || cycle.value.periodSeconds
			: 0;
	const check = pid === null ? null : checkWatcher(doors, pid, identity);
	const looks = check === "other" ? "dead" : (check ?? "none");
	const signs = [
		ageOf(watcherProgressPath(stateDir)),
		ageOf(watcherCyclePath(stateDir)),
		ageOf(schedulerLogPath(stateDir, proc.env.MONITOR_SCHEDULER_LOG)),
		ageOf(watcherLogPath(stateDir)),
		looks === "live" && pid !== null ? youngestOfGroup(doors, pid) : null,
	];
	return {
		heartbeatAge: ageOf(watcherHeartbeatPath(stateDir)),
		pid,
		pidLooks: looks,
		// The flock is only asked when it decides: opening it is a write attempt on a read-only disk.
		flockFree:
			looks === "dead" &&
			doors.locks.probe(instanceLockPath(stateDir)).kind === "free",
		progressAges: signs.filter((age) => age !== null),
		cycleAge: ageOf(watcherCyclePath(stateDir)),
		periodSeconds: period,
	};
}

/** The heartbeat's pid, else the pidfile's; null when neither names one. */
function recordedPid(
	doors: Pick<Doors, "files">,
	stateDir: string,
): number | null {
	const beat = peekWatcherHeartbeat(doors.files, stateDir);
	if (beat.kind === "ok") return beat.value.pid;
	const file = peekWatcherPid(doors.files, stateDir);
	return file.kind === "ok" ? file.value : null;
}

/** Age in seconds of the youngest process in the watcher's group: starting one is progress. */
function youngestOfGroup(
	doors: Pick<Doors, "proc" | "clock">,
	pid: number,
): number | null {
	const boot = doors.proc.bootTime();
	const leader = doors.proc.stat(pid);
	if (boot === null || leader.kind !== "ok") return null;
	const members = membersOf(doors, leader.value.pgid) ?? [];
	const ages = members.map((p) => {
		const started = boot + Number(p.startTicks) / doors.proc.ticksPerSecond();
		return Math.floor(doors.clock.now() - started);
	});
	return ages.length === 0 ? null : Math.min(...ages);
}
