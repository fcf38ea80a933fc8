/** `svc logs watcher`: follows the log and the scheduler's telemetry together (contract 06 §6). */
import { schedulerLogPath } from "../_state/scheduler-log.ts";
import { watcherLogPath } from "../_state/watcher-log.ts";
import type { SvcVerb } from "./verb.ts";

/** tail's exit code; 1 when there is nothing to follow. */
export const run: SvcVerb = async (
	_name,
	{ doors, settings, withoutScheduler },
) => {
	const { files, proc, log } = doors;
	for (const line of settings.problems) log.warn(line);
	const { stateDir } = settings.home;
	// The log alone reads as a dead watcher: it is quiet while the scheduler works.
	const telemetry = schedulerLogPath(stateDir, proc.env.MONITOR_SCHEDULER_LOG);
	const wanted = [
		watcherLogPath(stateDir),
		...(withoutScheduler ? [] : [telemetry]),
	];
	const found = wanted.filter((path) => files.stat(path).kind === "ok");
	if (found.length === 0) {
		log.warn(`logfile not found: ${wanted.join(", ")}`);
		return 1;
	}
	return (await proc.foreground(["tail", "-n", "200", "-F", ...found])) ?? 1;
};
