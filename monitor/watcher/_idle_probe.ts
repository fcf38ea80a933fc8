/** `idle_section`: looks at every worker and stages what is news of the idle ones (contract 03, Part C). */
import { sweepIdle } from "./_idle_probe/sweep.ts";
import type { TaskSpec } from "./context.ts";

export const idleSectionTask: TaskSpec = {
	name: "idle_section",
	intervalSeconds: () => 30,
	class: "expensive",
	async: true,
	make: (ctx) => async (run) => {
		const { afterGap, signal } = run;
		const swept = await sweepIdle(run.doors, ctx, { afterGap, signal });
		if (swept.kind === "ok") return { rc: 0, out: swept.staged };
		// Could not look: what was staged stands.
		run.log(`no idle rows: ${swept.why}`);
		return { rc: 1 };
	},
};
