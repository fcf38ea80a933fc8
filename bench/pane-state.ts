#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * `pane-state.ts --all` as a person or an agent runs it: wall time from start to end, over `--panes N` (default 40) real
 * panes that show labelled captures, `--runs N` (default 30). Wanted: a median under 150 ms.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { programArgv } from "../monitor/_sys/names.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { bareBun, numberFlag, percentile, report } from "./measure.ts";
import { showCaptures } from "./panes.ts";

const panes = numberFlag("panes", 40);
const runs = numberFlag("runs", 30);
const tmux = startPrivateTmux();
try {
	showCaptures(tmux, panes);
	const root = mkdtempSync(join(tmux.dir, "root-"));
	const env = { ...tmux.env, NEXUS_ROOT: root, HOME: root };
	const all = programArgv(process.execPath, "paneState", ["--all", "fleet"]);
	const lines = () => {
		const ran = Bun.spawnSync([...all], { env });
		if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
		return ran.stdout.toString().trimEnd().split("\n").length;
	};
	await waitUntil("all panes", () => lines() >= panes);
	await Bun.sleep(1000);
	const wall = Array.from({ length: runs + 1 }, () => {
		const began = performance.now();
		lines();
		return performance.now() - began;
	}).slice(1); // the first warms the disk
	report({
		name: `pane-state --all, ${panes} panes`,
		value: percentile(wall, 0.5),
		unit: "ms",
		limit: 150,
	});
	const [p50, p95] = [0.5, 0.95].map((p) => percentile(wall, p).toFixed(0));
	console.log(
		`pane-state --all of ${panes} panes: p50 ${p50} ms, p95 ${p95} ms; an empty bun ${bareBun().toFixed(1)} ms`,
	);
} finally {
	await tmux.kill();
}
