/** Renders the `workspace:` line for a report (contract 01 §7). */
import { readLastPrelude, writeLastPrelude } from "../_state/last-prelude.ts";
import type { PaneRows } from "../_sys/doors.ts";
import { TRANSIENT_PREFIX } from "./bells.ts";
import type { EmitPlace } from "./place.ts";
import type { EmitProviders, ProviderRun } from "./providers.ts";
import { runBounded } from "./run-bounded.ts";
import { windowsOf } from "./snapshot.ts";
import { workspaceLines } from "./workspace-line.ts";

/** The line or lines, without a newline at the end. Complete counts are remembered. */
export async function renderWorkspace(
	run: ProviderRun,
	place: EmitPlace,
	prelude: EmitProviders["prelude"],
	budgetMs: number,
): Promise<string> {
	const { doors, signal } = run;
	const now = doors.clock.now();
	const render =
		prelude === undefined
			? null
			: await runBounded(doors.clock, budgetMs, prelude(run, false), signal);
	const last = render === null ? null : readLastPrelude(doors, place.stateDir);
	const lines = workspaceLines(render, last, now);
	if (lines.remember !== undefined)
		writeLastPrelude(doors.files, place.stateDir, {
			epoch: now,
			text: lines.remember,
		});
	return lines.text;
}

/** Milliseconds that a render may take: a base, and something for each worker window. */
export function renderBudgetMs(place: EmitPlace, panes: PaneRows): number {
	const { config, target } = place;
	const own = new Set([target, config["monitor.services_window"]]);
	const workers =
		panes.kind === "ok"
			? windowsOf(panes.rows).filter(
					({ name }) => !own.has(name) && !name.startsWith(TRANSIENT_PREFIX),
				).length
			: 0;
	return (
		1000 *
		(config["monitor.startup_render_timeout_seconds"] +
			workers * config["monitor.render_seconds_per_window"])
	);
}
