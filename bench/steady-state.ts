#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * What a still fleet costs: `--panes N` (default 40) still panes, an idle real Claude Code, 4 git clones, default cadences.
 * With `--live` each of the panes is in a turn, and is redrawn every second.
 * `--minutes N` (default 30) for CPU and memory; then `--count-minutes N` (default 5) in which a stand-in
 * for each program on PATH notes its start and runs the real one: that counts the watcher's own tree,
 * whatever else the machine does, and its own cost stays out of the CPU figures. `--settle-seconds N` (default 60) after
 * each start are not counted.
 * Wanted: under 0.6 CPU seconds a minute, under 90 MiB (ticker under 15 MiB) and flat, at most 90
 * process starts a minute; beside live panes under 1.2 CPU seconds a minute.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	bareBunCpuSeconds,
	bareBunPssMiB,
	cpuSeconds,
	numberFlag,
	pssMiB,
	report,
	tickerPid,
} from "./measure.ts";
import { doors, openWorld } from "./world.ts";

const minutes = numberFlag("minutes", 30);
const panes = numberFlag("panes", 40);
const isLive = process.argv.includes("--live");
const fleet = `${panes} ${isLive ? "live " : ""}panes`;
const countMinutes = numberFlag("count-minutes", 5);
const COUNTED = ["tmux", "git", "diff", "bun", "sh", "ps", "env"];
/** The start and its sweep are no steady state. */
const SETTLE_MS = numberFlag("settle-seconds", 60) * 1000;

const world = await openWorld({
	stillPanes: panes,
	livePanes: isLive ? panes : 0,
	clones: 4,
});
try {
	await measureCpuAndMemory(world.startWatcher());
	await world.stopWatcher();
	await countStarts();
} finally {
	await world.close();
}

async function measureCpuAndMemory(watcher: number): Promise<void> {
	await Bun.sleep(SETTLE_MS);
	const ticker = tickerPid(world.root);
	const cpu = () => cpuSeconds(watcher) + cpuSeconds(ticker);
	const begin = cpu();
	const pss: number[] = [];
	for (let n = 0; n < minutes; n++) {
		await Bun.sleep(60_000);
		pss.push(pssMiB(watcher));
		const used = (cpu() - begin) / (n + 1);
		console.log(
			`minute ${n + 1}: ${used.toFixed(3)} CPU s a minute so far, watcher ${pss.at(-1)!.toFixed(1)} MiB, ticker ${pssMiB(ticker).toFixed(1)} MiB`,
		);
	}
	const perMinute = (cpu() - begin) / minutes;
	const bare = bareBunCpuSeconds();
	report({
		name: `steady state, ${fleet}`,
		value: perMinute,
		unit: "CPU s/min",
		limit: isLive ? 1.2 : 0.6,
	});
	console.log(
		`CPU: ${perMinute.toFixed(3)} s a minute (watcher, its children, ticker) = ${(perMinute / bare).toFixed(1)} x bun -e 0`,
	);
	const [first = 0, last = 0] = [pss[0], pss.at(-1)];
	const idleBun = await bareBunPssMiB();
	report({
		name: `watcher beside ${fleet}, Pss`,
		value: last,
		unit: "MiB",
		limit: 90,
	});
	report({
		name: `ticker beside ${fleet}, Pss`,
		value: pssMiB(ticker),
		unit: "MiB",
		limit: 15,
	});
	console.log(
		`memory (Pss): watcher ${last.toFixed(1)} MiB = ${(last / idleBun).toFixed(1)} x an idle bun, ${signed(last - first)} MiB over ${minutes} min; ticker ${pssMiB(ticker).toFixed(1)} MiB`,
	);
}

function signed(n: number): string {
	return `${n < 0 ? "" : "+"}${n.toFixed(1)}`;
}

async function countStarts(): Promise<void> {
	const bin = join(world.root, "counting-bin");
	const log = join(world.root, "starts.log");
	mkdirSync(bin);
	for (const program of COUNTED) {
		const real = doors.proc.which(program);
		if (real === null) continue;
		const path = join(bin, program);
		writeFileSync(
			path,
			`#!/bin/sh\necho ${program} >> '${log}'\nexec '${real}' "$@"\n`,
		);
		chmodSync(path, 0o755);
	}
	world.startWatcher({ PATH: `${bin}:${world.env.PATH}` });
	await Bun.sleep(SETTLE_MS);
	writeFileSync(log, "");
	await Bun.sleep(countMinutes * 60_000);
	const starts = readFileSync(log, "utf8").split("\n").slice(0, -1);
	const counts = Map.groupBy(starts, (program) => program);
	const parts = [...counts].map(
		([program, list]) =>
			`${program} ${(list.length / countMinutes).toFixed(1)}`,
	);
	report({
		name: `process starts, ${fleet}`,
		value: starts.length / countMinutes,
		unit: "starts/min",
		limit: 90,
	});
	console.log(
		`process starts: ${(starts.length / countMinutes).toFixed(1)} a minute over ${countMinutes} min (${parts.join(", ") || "none"}), counted by stand-ins on PATH`,
	);
}
