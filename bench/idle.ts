#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveWatcherConfig } from "../config/watcher.ts";
import { screenMemo } from "../monitor/_pane/screen-memo.ts";
import { readerSettings } from "../monitor/_pane/settings.ts";
import { sweepPanes } from "../monitor/_pane/sweep.ts";
/**
 * One idle sweep as the watcher makes it: tmux, process table, screens, state files, decisions, writes. `--panes N`
 * (default 200) real panes that show labelled captures, an action log of 5000 events, `--runs N` (default 30). The
 * screens stand still, as most of a fleet does; `--first` looks at each as at the first time. Wanted: under 80 ms for
 * 200 panes.
 */
import { followActionLog } from "../monitor/_state/action-log.ts";
import { WINDOW_EVENTS } from "../monitor/_state/window-events.ts";
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { sweepIdle } from "../monitor/watcher/_idle_probe/sweep.ts";
import { logLines } from "../tests/idle/action-lines.ts";
import { startPrivateTmux } from "../tests/support/private-tmux.ts";
import { waitUntil } from "../tests/support/wait-until.ts";
import { numberFlag, percentile, report } from "./measure.ts";
import { showCaptures } from "./panes.ts";

const panes = numberFlag("panes", 200);
const runs = numberFlag("runs", 30);
const tmux = startPrivateTmux();
delete process.env.TMUX;
process.env.TMUX_TMPDIR = tmux.dir;
const doors = realDoors();
const root = mkdtempSync(join(tmux.dir, "root-"));
const stateDir = join(root, "monitor/.state");

function writeState(): void {
	mkdirSync(stateDir, { recursive: true });
	const now = doors.clock.now();
	const events = Array.from({ length: 5000 }, (_, n) => {
		const window = `worker-${n % panes}`;
		const kind = ["spawn", "wrap-up", "paste-followup"][n % 3] ?? "spawn";
		return [kind, now - 6000 + n, { window, report: "r.md" }] as const;
	});
	writeFileSync(join(stateDir, "action-log.jsonl"), logLines(events));
}

try {
	showCaptures(tmux, panes);
	writeState();
	const place = {
		root,
		stateDir,
		target: "orchestrator",
		config: config(),
		windowEventLog: followActionLog(WINDOW_EVENTS),
	};
	const deps = { doors, stateDir, settings: readerSettings(place.config) };
	const readScreens = screenMemo();
	const first = process.argv.includes("--first");
	const fleetThisTick = () => sweepPanes(deps, first ? {} : { readScreens });
	const sweep = () =>
		sweepIdle(doors, { ...place, fleetThisTick }, { afterGap: false });
	await waitUntil("all panes", async () => {
		const seen = await sweepPanes(deps);
		return seen.kind === "ok" && seen.panes.length >= panes;
	});
	await Bun.sleep(1000);
	const wall: number[] = [];
	const cpu: number[] = [];
	for (let n = 0; n < runs + 3; n++) {
		const began = performance.now();
		const before = process.cpuUsage();
		const { kind } = await sweep();
		if (kind !== "ok") throw new Error("the sweep failed");
		const used = process.cpuUsage(before);
		if (n < 3) continue; // the compiler warms up
		wall.push(performance.now() - began);
		cpu.push((used.user + used.system) / 1000);
	}
	report({
		name: `idle sweep, ${panes} panes`,
		value: percentile(wall, 0.5),
		unit: "ms",
		...(panes >= 200 ? { limit: 80 } : {}),
	});
	const figures = (all: readonly number[]) =>
		[0.5, 0.95, 1].map((p) => percentile(all, p).toFixed(1)).join(" / ");
	console.log(
		`sweep of ${panes} panes, p50 / p95 / worst: wall ${figures(wall)} ms, own CPU ${figures(cpu)} ms`,
	);
} finally {
	await tmux.kill();
}

function config() {
	const resolved = resolveWatcherConfig(
		{
			path: join(root, "nexus.yml"),
			sha256: "",
			tree: { github: { repo: "bench/assets", user_login: "bench" } },
		},
		{},
		{ root, home: root },
	);
	if (resolved.kind === "bad") throw new Error("the defaults do not resolve");
	return resolved.config;
}
