#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * Every bench with short settings, and one table at the end: each figure with its limit, and how many times a bare
 * `bun -e 0` it is (wall time, CPU time; of memory: an idle bun), measured just before its bench. `--only NAME` runs
 * one of them. Under ten minutes on a machine that does nothing else; figures on a busy one say more of the machine.
 * The exit code is 1 when a limit is missed or a bench fails.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUN_FLAGS } from "../monitor/_sys/names.ts";
import {
	bareBun,
	bareBunCpuSeconds,
	bareBunPssMiB,
	FIGURES_ENV,
	type Figure,
	percentile,
	textFlag,
} from "./measure.ts";
import { type Measured, tableOf } from "./table.ts";

interface Bench {
	readonly name: string;
	readonly args: string;
}

/** Those that use the processors, one after the other. */
const BENCHES: readonly Bench[] = [
	{ name: "pane", args: "--runs 50" },
	...[1, 12, 40, 120, 200].map((panes) => ({
		name: "idle",
		args: `--panes ${panes} --runs 8`,
	})),
	{ name: "pane-state", args: "--runs 10" },
	{ name: "hooks", args: "--runs 12" },
	{ name: "ng", args: "--runs 10" },
	{ name: "ng-github", args: "--runs 3" },
	{ name: "startup", args: "--runs 4" },
	{ name: "svc-status", args: "--runs 5" },
	{ name: "service-health", args: "--ticks 5" },
	{ name: "roster", args: "--runs 3" },
	{ name: "wake", args: "--runs 3" },
	{ name: "blocked", args: "--runs 1" },
	{ name: "delivery", args: "--runs 14" },
	{ name: "followup", args: "--runs 8" },
	{ name: "respawn", args: "--runs 1" },
	{
		name: "steady-state",
		args: "--minutes 1 --count-minutes 0.5 --settle-seconds 15",
	},
	{
		name: "steady-state",
		args: "--live --minutes 1 --count-minutes 0.5 --settle-seconds 15",
	},
	{ name: "growth", args: "--seconds 20 --settle-seconds 8" },
];
/** They wait for polls and cadences: they may run beside the others. */
const BESIDE: readonly Bench[] = [
	{ name: "github-idle", args: "--comments 3 --minutes 1 --settle-seconds 15" },
	{ name: "cadence", args: "--runs 1" },
];

interface Bare {
	readonly ms: number;
	readonly cpuSeconds: number;
	readonly pssMiB: number;
}

const only = textFlag("only");
const wanted = (benches: readonly Bench[]) =>
	benches.filter(({ name }) => only === null || name === only);
if (wanted([...BENCHES, ...BESIDE]).length === 0)
	throw new Error(`no bench is named ${only}`);
const dir = mkdtempSync(join(tmpdir(), "nexus-benches-"));
const failed: string[] = [];
try {
	const [one, other] = await Promise.all([
		inTurn(wanted(BENCHES)),
		inTurn(wanted(BESIDE)),
	]);
	const measured = [...one, ...other];
	console.log(`\n${tableOf(measured)}`);
	for (const name of failed) console.log(`FAILED ${name}`);
	const isMissed = measured.some(
		({ value, limit }) => limit !== undefined && value > limit,
	);
	process.exitCode = isMissed || failed.length > 0 ? 1 : 0;
} finally {
	rmSync(dir, { recursive: true, force: true });
}

async function inTurn(benches: readonly Bench[]): Promise<readonly Measured[]> {
	const measured: Measured[] = [];
	for (const [n, bench] of benches.entries()) {
		const bare = await measureBare();
		const figures = await run(bench, join(dir, `${bench.name}-${n}`));
		measured.push(
			...figures.map((figure) => ({ ...figure, ratio: ratioOf(figure, bare) })),
		);
	}
	return measured;
}

async function measureBare(): Promise<Bare> {
	return {
		ms: percentile(Array.from({ length: 10 }, bareBun), 0.5),
		cpuSeconds: bareBunCpuSeconds(),
		pssMiB: await bareBunPssMiB(),
	};
}

function ratioOf({ value, unit }: Figure, bare: Bare): number | null {
	switch (unit) {
		case "ms":
			return value / bare.ms;
		case "s":
			return (value * 1000) / bare.ms;
		case "CPU s":
		case "CPU s/min":
			return value / bare.cpuSeconds;
		case "MiB":
			return value / bare.pssMiB;
		case "x bare":
			return value;
		default:
			return null;
	}
}

async function run(
	{ name, args }: Bench,
	path: string,
): Promise<readonly Figure[]> {
	const began = performance.now();
	const script = join(import.meta.dir, `${name}.ts`);
	const child = Bun.spawn(
		[process.execPath, ...BUN_FLAGS, script, ...args.split(" ")],
		{
			env: { ...process.env, [FIGURES_ENV]: path },
			stdin: "ignore",
			stdout: "pipe",
			stderr: "pipe",
		},
	);
	const [out, err] = await Promise.all([
		child.stdout.text(),
		child.stderr.text(),
	]);
	const figures = readFigures(path);
	const seconds = ((performance.now() - began) / 1000).toFixed(0);
	console.log(`--- ${name} ${args} (${seconds} s)\n${out.trimEnd()}`);
	// Some say by their exit code that a limit is missed.
	if ((await child.exited) !== 0 && figures.length === 0) {
		console.log(err.trimEnd());
		failed.push(name);
	}
	return figures;
}

function readFigures(path: string): readonly Figure[] {
	try {
		const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
		return lines.map((line) => JSON.parse(line));
	} catch {
		return []; // it failed before its first figure
	}
}
