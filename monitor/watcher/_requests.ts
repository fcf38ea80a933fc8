/** `requests_poll`: claims what arrived in the inbox and stages what is due (contract 08 §6.3). */
import { requestInbox, requestsConfig } from "../_emit/local-providers.ts";
import { renderPendingRequests } from "../_emit/pending-requests.ts";
import type { TaskSpec } from "./context.ts";

export const requestsPollTask: TaskSpec = {
	name: "requests_poll",
	intervalSeconds: () => 10,
	class: "cheap",
	async: false,
	make: (ctx) => {
		const config = requestsConfig(ctx.config);
		let lastRefusal = "";
		return async (run) => {
			const inbox = requestInbox(run.doors, ctx);
			if (inbox.kind === "refused") {
				// Once an episode; an inbox that is not there is never an empty one.
				if (inbox.why !== lastRefusal) run.log(inbox.why);
				lastRefusal = inbox.why;
				return { rc: inbox.rc };
			}
			lastRefusal = "";
			const out = await renderPendingRequests(run.doors, {
				stateDir: ctx.stateDir,
				inbox: inbox.dir,
				config,
				everything: false,
				afterGap: run.afterGap,
			});
			return out === null ? { rc: 1 } : { rc: 0, out };
		};
	},
};
