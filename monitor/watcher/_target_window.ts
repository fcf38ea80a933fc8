/**
 * `target_window`: is the window that gets the reports there? (contract 01 §9.2, 04 §13.) Until the respawn part lands
 * an absent target is one ALERT an episode; reports go on being archived.
 */
import { raise } from "../_emit/self-heal.ts";
import { appendAlert } from "../_state/watcher-alerts.ts";
import { targetPresence } from "../_sys/tmux-panes.ts";
import {
	NOTHING_SEEN,
	type TargetVerdict,
	targetVerdict,
} from "./_target_window/verdict.ts";
import type { TaskSpec } from "./context.ts";

export const targetWindowTask: TaskSpec = {
	name: "target_window",
	intervalSeconds: () => 2,
	class: "cheap",
	async: false,
	make: (ctx) => {
		const confirmingPolls = ctx.config["monitor.agent_missing_respawn_delay"];
		let memory = NOTHING_SEEN;
		return async (run) => {
			const presence = targetPresence(await ctx.panesThisTick(), ctx.target);
			const { next, verdict } = targetVerdict(
				memory,
				presence,
				run.afterGap,
				confirmingPolls,
			);
			memory = next;
			if (verdict === "quiet") return { rc: presence };
			const text = verdictText(verdict, ctx.target, next.misses);
			if (verdict === "absent") raise(run.doors, ctx.stateDir, text);
			else run.log(text);
			if (verdict === "blind")
				appendAlert(run.doors, ctx.stateDir, "WARN", text);
			else {
				// The missing window is itself news, and what waited goes out as soon as it is back.
				ctx.scheduler.fireNow("compose_emit");
				ctx.scheduler.override("compose_emit", 5, 60);
			}
			return { rc: presence };
		};
	},
};

/** The line for log and alerts. */
export function verdictText(
	verdict: Exclude<TargetVerdict, "quiet">,
	target: string,
	misses: number,
): string {
	switch (verdict) {
		case "missing":
			return `target window '${target}' not found (${misses} poll(s))`;
		case "absent":
			return `target window '${target}' absent for ${misses} poll(s): reports are archived, none is delivered until a window of that name is back`;
		case "back":
			return `target window '${target}' is there`;
		case "blind":
			return `tmux does not answer: cannot tell whether target window '${target}' is there`;
	}
}
