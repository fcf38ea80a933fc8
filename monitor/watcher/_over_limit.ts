/** Usage limits: `over_limit_scan` finds the panes that are held, `over_limit_wakes` looks after them (contract 04 §9). */
import type { PasteDeps } from "../_delivery/paste-to-target.ts";
import type { WorkerRules } from "../_pane/workers.ts";
import {
	readServiceNames,
	servicesRegistryPath,
} from "../_state/services-registry.ts";
import { candidates, scanPanes } from "./_over_limit/scan.ts";
import { limitSettings } from "./_over_limit/settings.ts";
import { wakeHeldPanes } from "./_over_limit/wakes.ts";
import type { TaskRun, TaskSpec, WatcherContext } from "./context.ts";

export { expediteAll } from "./_over_limit/expedite.ts";
export { emitHold } from "./_over_limit/gate.ts";
export { limitSettings };

/** A look that is this old tells a limit of hours as well as a fresh one. */
const LOOK_MAX_AGE_MS = 10_000;

export const overLimitScanTask: TaskSpec = {
	name: "over_limit_scan",
	intervalSeconds: () => 60,
	class: "expensive",
	async: true,
	make: (ctx) => {
		const { stateDir, config } = ctx;
		const place = { stateDir, settings: limitSettings(config) };
		return async (run) => {
			const fleet = await ctx.fleetThisTick(LOOK_MAX_AGE_MS);
			if (fleet.kind !== "ok" || run.signal.aborted) return { rc: 1 };
			const panes = candidates(fleet.panes, workerRules(ctx, run));
			scanPanes(run.doors, place, panes);
			return { rc: 0 };
		};
	},
};

/** Async, although it is mostly over at once: a brief takes its time, and the loop's slot is not held for it (contract 04 §2). */
export function overLimitWakesTask(
	handsOf: (ctx: WatcherContext, run: TaskRun) => PasteDeps,
): TaskSpec {
	return {
		name: "over_limit_wakes",
		intervalSeconds: () => 5,
		class: "cheap",
		async: true,
		make: (ctx) => {
			const settings = limitSettings(ctx.config);
			return async (run) => {
				const { signal } = run;
				const place = { settings, target: ctx.target, signal };
				const isRead = await wakeHeldPanes(handsOf(ctx, run), place);
				return { rc: isRead ? 0 : 1 };
			};
		},
	};
}

function workerRules(ctx: WatcherContext, { doors }: TaskRun): WorkerRules {
	const registry = servicesRegistryPath(doors.proc.env, ctx.root);
	const services = readServiceNames(doors.files, registry);
	return {
		target: ctx.target,
		servicesWindow: ctx.config["monitor.services_window"],
		services: services.kind === "ok" ? services.names : new Set(),
	};
}
