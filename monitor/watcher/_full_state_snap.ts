/** `full_state_snap`: stages the rows of the full snapshot, so that a report need not wait for them (contract 01 §5, 03 §12.9). */
import type { EmitDeps } from "../_emit/emit-deps.ts";
import { renderBudgetMs } from "../_emit/prelude.ts";
import { renderLabel, runBounded } from "../_emit/run-bounded.ts";
import type { TaskSpec } from "./context.ts";

/** Every 600 s. A rendering that does not end in its budget stages nothing: half a fleet would read as a change. */
export function fullStateSnapTask(deps: EmitDeps): TaskSpec {
	return {
		name: "full_state_snap",
		intervalSeconds: () => 600,
		class: "expensive",
		async: true,
		make: (ctx) => {
			const fullState = deps.sources?.(ctx).fullState;
			return async ({ doors, signal, log }) => {
				if (fullState === undefined) return { rc: 0 };
				const budgetMs = renderBudgetMs(ctx, await ctx.panesThisTick());
				const render = fullState({ doors, signal });
				const { rc, out } = await runBounded(
					doors.clock,
					budgetMs,
					render,
					signal,
				);
				// Half a fleet would read as a change: what was staged stands.
				if (rc === 0) return { rc, out };
				log(`full snapshot: ${renderLabel(rc)}`);
				return { rc };
			};
		},
	};
}
