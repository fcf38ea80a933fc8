/** The watcher as the verbs see it: its pid, its groups. */
import {
	checkWatcher,
	listWatcherGroups,
	type WatcherCheck,
	type WatcherIdentity,
	watcherIdentity,
} from "../_liveness/watcher-process.ts";
import type { Home } from "../_state/home.ts";
import { peekWatcherPid } from "../_state/watcher-pid.ts";
import type { Doors } from "../_sys/doors.ts";

export interface SeenWatcher {
	readonly identity: WatcherIdentity;
	/** What the pidfile says; null = absent, damaged or unreadable. */
	readonly pid: number | null;
	readonly check: WatcherCheck | null;
	/** Null when the process table could not be read. */
	readonly groups: readonly number[] | null;
}

/** `groups` null: the process table could not be read. */
export function seeWatcher(
	doors: Pick<Doors, "files" | "proc">,
	home: Home,
): SeenWatcher {
	const identity = watcherIdentity(doors.files, home.stateDir, home.codeRoot);
	const file = peekWatcherPid(doors.files, home.stateDir);
	const pid = file.kind === "ok" ? file.value : null;
	const groups = listWatcherGroups(doors, identity);
	return {
		identity,
		pid,
		check: pid === null ? null : checkWatcher(doors, pid, identity),
		groups: groups.kind === "ok" ? groups.value.map((g) => g.pgid) : null,
	};
}
