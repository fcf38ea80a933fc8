/** From the table of tasks to a scheduler that knows them (contract 01 §5). */
import type { Log } from "../../_sys/doors.ts";
import type { Scheduler } from "../_scheduler.ts";
import type { TaskSpec, WatcherContext } from "../context.ts";

/** Decided once: a task that is off, or whose interval is 0, stays off until the watcher restarts. */
export function registerTasks(
	tasks: readonly TaskSpec[],
	ctx: WatcherContext,
	scheduler: Pick<Scheduler, "register">,
	log: Log,
): void {
	for (const task of tasks) {
		const interval = task.intervalSeconds(ctx.config);
		if (interval <= 0 || !(task.enabled?.(ctx.config) ?? true)) {
			log.info(`task ${task.name} is off`);
			continue;
		}
		scheduler.register(task.name, interval, task.make(ctx), {
			class: task.class,
			async: task.async,
		});
	}
}
