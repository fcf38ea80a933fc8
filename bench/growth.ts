#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What each further pane costs a watcher: one watcher at default cadences, to which still panes are added; CPU seconds a
 * minute at 1, 12, 40, 120 and 200 of them, `--seconds N` (default 120) each after `--settle-seconds N` (default 30).
 * Wanted: at most 0.02 CPU seconds a minute more for each.
 */
import {
	bareBunCpuSeconds,
	cpuSeconds,
	numberFlag,
	report,
	tickerPid,
} from "./measure.ts";
import { openWorld } from "./world.ts";

const COUNTS = [1, 12, 40, 120, 200];
const WANTED = 0.02;
const seconds = numberFlag("seconds", 120);
const settleMs = numberFlag("settle-seconds", 30) * 1000;

const world = await openWorld({ stillPanes: 1, clones: 4 });
const perMinute: number[] = [];
try {
	const watcher = world.startWatcher();
	await Bun.sleep(settleMs);
	const ticker = tickerPid(world.root);
	const cpu = () => cpuSeconds(watcher) + cpuSeconds(ticker);
	for (const panes of COUNTS) {
		world.showPanes(panes);
		await Bun.sleep(settleMs);
		const before = cpu();
		await Bun.sleep(seconds * 1000);
		const used = ((cpu() - before) * 60) / seconds;
		perMinute.push(used);
		report({
			name: `watcher beside ${panes} panes`,
			value: used,
			unit: "CPU s/min",
		});
		console.log(
			`${String(panes).padStart(4)} panes: ${used.toFixed(3)} CPU s a minute`,
		);
	}
} finally {
	await world.close();
}
const [least = 0, most = 0] = [perMinute[0], perMinute.at(-1)];
const each = (most - least) / ((COUNTS.at(-1) ?? 1) - (COUNTS[0] ?? 0));
report({
	name: "each further pane",
	value: each,
	unit: "CPU s/min",
	limit: WANTED,
});
console.log(
	`each further pane: ${each.toFixed(4)} CPU s a minute (an empty bun takes ${bareBunCpuSeconds().toFixed(4)} s; wanted: at most ${WANTED})`,
);
