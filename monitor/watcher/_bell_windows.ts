/** `bell_windows`: stages the windows that ring (contract 01 §9.1). */
import { listBellWindows, renderStagedBells } from "../_emit/bells.ts";
import type { TaskSpec } from "./context.ts";

export const bellWindowsTask: TaskSpec = {
	name: "bell_windows",
	intervalSeconds: () => 30,
	class: "cheap",
	async: false,
	make: (ctx) => async () => {
		const panes = await ctx.panesThisTick();
		// Could not look: what was staged stands.
		if (panes.kind !== "ok") return { rc: 1 };
		const bells = listBellWindows(panes.rows, ctx.target);
		return { rc: 0, out: renderStagedBells(bells) };
	},
};
