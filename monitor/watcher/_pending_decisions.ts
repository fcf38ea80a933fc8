/** `pending_decisions`: stages the questions that are due (contract 08 §5.4). */
import { decisionsLook } from "../_emit/local-providers.ts";
import { renderPendingDecisions } from "../_emit/pending-decisions.ts";
import type { TaskSpec } from "./context.ts";

export const pendingDecisionsTask: TaskSpec = {
	name: "pending_decisions",
	intervalSeconds: () => 10,
	class: "cheap",
	async: false,
	make: (ctx) => async (run) => {
		const look = await decisionsLook(run.doors, ctx, run.afterGap);
		const out = await renderPendingDecisions(run.doors, look);
		// Could not look: what was staged stands.
		return out === null ? { rc: 1 } : { rc: 0, out };
	},
};
