/** `idle_section`: looks at every worker and stages what is news of the idle ones (contract 03, Part C). */
import { earlierSweep } from "./_idle_probe/next-sweep.ts";
import { sweepIdle } from "./_idle_probe/sweep.ts";
import type { TaskSpec, WatcherContext } from "./context.ts";

export const idleSectionTask: TaskSpec = {
	name: "idle_section",
	intervalSeconds: () => 30,
	class: "expensive",
	async: true,
	make: (ctx) => async (run) => {
		const { afterGap, signal } = run;
		const swept = await sweepIdle(run.doors, ctx, { afterGap, signal });
		if (swept.kind === "ok") {
			hurry(ctx, run.doors.clock.now(), swept.dueAt);
			return { rc: 0, out: swept.staged };
		}
		// Could not look: what was staged stands.
		run.log(`no idle rows: ${swept.why}`);
		return { rc: 1 };
	},
};

function hurry(
	{ scheduler }: WatcherContext,
	now: number,
	dueAt: number | null,
): void {
	const nextAt = scheduler.nextFireOf("idle_section");
	if (nextAt === null) return;
	const composeAt = scheduler.nextFireOf("compose_emit");
	const at = earlierSweep({ now, nextAt, dueAt, composeAt });
	if (at !== null) scheduler.skipUntil("idle_section", at);
}
