/** `--once`: one pass of all tasks, then at most one ordinary emit (contract 01 §2.2). */
import type { Scheduler } from "../_scheduler.ts";

const DRAIN_SECONDS = 60;

/** False when a run was still in flight at the end of its minute. */
export async function runOnce(
	scheduler: Pick<
		Scheduler,
		"disable" | "enable" | "fireNow" | "tick" | "drain"
	>,
): Promise<boolean> {
	scheduler.disable("compose_emit");
	scheduler.disable("comment_surface");
	await scheduler.tick();
	const gathered = await scheduler.drain(DRAIN_SECONDS);
	scheduler.enable("compose_emit");
	scheduler.fireNow("compose_emit");
	await scheduler.tick();
	return (await scheduler.drain(DRAIN_SECONDS)) && gathered;
}
