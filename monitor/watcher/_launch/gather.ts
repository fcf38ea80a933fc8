/** Looks at the watchers that are there already (contract 01 §17, steps 5 and 6). */

import {
	checkWatcher,
	listWatcherGroups,
	type WatcherIdentity,
} from "../../_liveness/watcher-process.ts";
import { setAside } from "../../_state/damaged.ts";
import { peekWatcherPid, watcherPidPath } from "../../_state/watcher-pid.ts";
import type { Doors } from "../../_sys/doors.ts";
import { membersOf } from "../../_sys/process-group.ts";
import type { LaunchFacts, LaunchMode } from "./decide.ts";

/** Writes nothing but a probe into the state dir. `groups` null: the process table could not be read. */
export function gatherLaunch(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	stateDir: string,
	identity: WatcherIdentity,
	mode: LaunchMode,
): LaunchFacts {
	const groups = listWatcherGroups(doors, identity);
	return {
		mode,
		pidfile: lookAtPidfile(doors, stateDir, identity),
		groups: groups.kind === "ok" ? groups.value : null,
		writable: doors.files.probeWritable(stateDir).kind === "ok",
	};
}

function lookAtPidfile(
	doors: Pick<Doors, "files" | "clock" | "log" | "proc">,
	stateDir: string,
	identity: WatcherIdentity,
): LaunchFacts["pidfile"] {
	const read = peekWatcherPid(doors.files, stateDir);
	if (read.kind === "absent") return { kind: "absent" };
	if (read.kind === "damaged")
		setAside(doors, stateDir, watcherPidPath(stateDir), read.why);
	if (read.kind !== "ok") return { kind: "says-nothing" };
	const pid = read.value;
	const check = checkWatcher(doors, pid, identity);
	return {
		kind: "pid",
		pid,
		check,
		leftBehind: check === "dead" ? (membersOf(doors, pid)?.length ?? 0) : 0,
	};
}
