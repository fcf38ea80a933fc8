/** `svc stop watcher` (contract 06 §6.3): stays stopped until somebody starts it. */

import { probeInstance } from "../_liveness/instance-probe.ts";
import { reapGroup } from "../_liveness/reap-group.ts";
import { setAside } from "../_state/damaged.ts";
import { instanceLockPath } from "../_state/instance-lock.ts";
import {
	peekWatcherPid,
	removeWatcherPid,
	watcherPidPath,
} from "../_state/watcher-pid.ts";
import { requestStop } from "../_state/watcher-stop-requested.ts";
import { seeWatcher } from "./live-watcher.ts";
import type { SvcVerb } from "./verb.ts";

const KILL_WAIT_SECONDS = 5;

/** 0 nothing runs any more, 1 something survived or could not be looked into. */
export const run: SvcVerb = async (_name, { doors, settings }) => {
	const { files, log } = doors;
	for (const line of settings.problems) log.warn(line);
	const { home } = settings;
	files.mkdir(home.stateDir);
	// First of all: an armed supervisor must not revive what is being stopped on purpose.
	const asked = requestStop(files, home.stateDir);
	if (asked.kind !== "ok")
		log.warn(
			`the stop cannot be recorded (${asked.reason}); a supervisor may revive the watcher`,
		);
	const file = peekWatcherPid(files, home.stateDir);
	if (file.kind === "damaged")
		setAside(doors, home.stateDir, watcherPidPath(home.stateDir), file.why);
	const seen = seeWatcher(doors, home);
	if (seen.check === "unreadable") {
		log.warn(`pid ${seen.pid} cannot be looked into; it was not signalled`);
		return 1;
	}
	const groups = seen.groups ?? [];
	let survivors = 0;
	for (const pgid of groups) {
		const done = await reapGroup(doors, pgid, KILL_WAIT_SECONDS, seen.identity);
		if (done.kind === "reaped" || done.kind === "empty") continue;
		survivors++;
		log.warn(
			done.kind === "survivors"
				? `process group ${pgid} outlived SIGKILL (pids ${done.pids.join(", ")})`
				: `process group ${pgid} was not ended (${done.kind})`,
		);
	}
	if (survivors > 0) {
		removeWatcherPid(files, home.stateDir);
		return 1;
	}
	// Ours are gone; who still holds the lock lives where we cannot see it, and the pidfile is its own.
	const probe = await probeInstance(doors, home.stateDir);
	if (probe.kind === "held") {
		log.warn(
			`watcher: NOT stopped: another sandbox or host holds ${instanceLockPath(home.stateDir)}`,
		);
		return 1;
	}
	removeWatcherPid(files, home.stateDir);
	log.info(groups.length > 0 ? "watcher: stopped" : "watcher: nothing to stop");
	return 0;
};
