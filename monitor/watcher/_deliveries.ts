/** `deliveries_poll`: what happened on GitHub in the last seconds, from the App's delivery log into the queue (contract 02 §6). */
import type { GitHubApp } from "../_github/app.ts";
import type { AnswerMemory } from "../_github/conditional.ts";
import { deliveriesMemory, snapshotDeliveries } from "../_github/deliveries.ts";
import { openGitHub } from "../_github/github.ts";
import type { TaskSpec } from "./context.ts";

/** Every 15 s. What it found is in the queue when it ends; nothing is staged. */
export function deliveriesPollTask(app: GitHubApp): TaskSpec {
	return {
		name: "deliveries_poll",
		intervalSeconds: () => 15,
		class: "medium",
		async: true,
		make: ({ config, stateDir }) => {
			const memory = deliveriesMemory();
			const remember: AnswerMemory = new Map();
			return async ({ doors, signal }) => {
				const isOn =
					config["monitor.deliveries.asset_enabled"] ||
					config["monitor.deliveries.bot_mention_enabled"];
				if (!isOn) return { rc: 0 };
				const gitHub = openGitHub({ doors, app, stateDir, remember });
				const { rc } = await snapshotDeliveries({
					doors,
					gitHub,
					stateDir,
					config,
					memory,
					signal,
				});
				return { rc };
			};
		},
	};
}
