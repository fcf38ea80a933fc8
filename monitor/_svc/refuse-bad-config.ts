/** Starting a watcher needs a usable configuration; nothing is touched before that is known (contract 06 §6, 07 §7). */
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import { seeWatcher } from "./live-watcher.ts";

/** 2 with the loader's lines, or null when there is nothing against it. */
export function refuseBadConfig(
	doors: Pick<Doors, "files" | "proc" | "log">,
	settings: Settings,
): 2 | null {
	if (settings.problems.length === 0) return null;
	for (const line of settings.problems) doors.log.warn(line);
	const { check } = seeWatcher(doors, settings.home);
	doors.log.warn(
		check === "live"
			? "config invalid — the running watcher was left alone"
			: "config invalid — nothing was started",
	);
	return 2;
}
