/** Readings from /proc, percentiles, and the bare `bun -e 0` that everything is compared with. */
import { appendFileSync, readFileSync } from "node:fs";
import { doors } from "./world.ts";

/** CPU seconds that a process and its ended children have used since it began. */
export function cpuSeconds(pid: number): number {
	// Behind the name, which may hold blanks and brackets: field 3 is the first.
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = [11, 12, 13, 14].map((at) => Number(fields[at]));
	return ticks.reduce((a, b) => a + b, 0) / doors.proc.ticksPerSecond();
}

/** Proportional set size, MiB: its part of bun's pages falls with each other bun on the machine, by up to 45 MiB. */
export function pssMiB(pid: number): number {
	return rollupMiB(pid, "Pss");
}

/** What it has for itself (heap, stacks), MiB: of a process that is followed for hours, whoever comes and goes beside it. */
export function ownMiB(pid: number): number {
	return rollupMiB(pid, "Pss_Anon");
}

function rollupMiB(pid: number, row: "Pss" | "Pss_Anon"): number {
	const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
	const found = rollup.split("\n").find((line) => line.startsWith(`${row}:`));
	return Number(/\d+/.exec(found ?? "")?.[0] ?? Number.NaN) / 1024;
}

/** The heartbeat ticker of a world: the one process of it that runs that script. */
export function tickerPid(root: string): number {
	const table = doors.proc.table();
	for (const { pid } of table.kind === "ok" ? table.value : []) {
		const argv = doors.proc.argv(pid);
		const env = doors.proc.environ(pid);
		const ours = env.kind === "ok" && env.value.NEXUS_ROOT === root;
		const ticks = argv.kind === "ok" && argv.value.some(isTicker);
		if (ours && ticks) return pid;
	}
	throw new Error("no heartbeat ticker runs");
}

function isTicker(slot: string): boolean {
	return slot.endsWith("/heartbeat-ticker.ts");
}

/** The value below which `p` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], p: number): number {
	const sorted = [...samples].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]!;
}

/** Wall time of one run, ms. */
export function timed(run: () => void): number {
	const start = performance.now();
	run();
	return performance.now() - start;
}

/** One `bun -e 0`: wall ms. */
export function bareBun(): number {
	return timed(() => {
		Bun.spawnSync([doors.proc.execPath, "-e", "0"]);
	});
}

/** CPU seconds of one `bun -e 0`, over 20 runs. */
export function bareBunCpuSeconds(): number {
	let micros = 0;
	for (let n = 0; n < 20; n++) {
		const { resourceUsage } = Bun.spawnSync([doors.proc.execPath, "-e", "0"]);
		micros += Number(resourceUsage.cpuTime.total);
	}
	return micros / 20 / 1e6;
}

/** Pss of a bun that does nothing but live, MiB. */
export async function bareBunPssMiB(): Promise<number> {
	const idle = Bun.spawn([
		doors.proc.execPath,
		"-e",
		"setInterval(String, 1e6)",
	]);
	await Bun.sleep(1000);
	const pss = pssMiB(idle.pid);
	idle.kill();
	await idle.exited;
	return pss;
}

/** The value of `--name N`, or the default. */
export function numberFlag(name: string, fallback: number): number {
	const at = process.argv.indexOf(`--${name}`);
	const value = at < 0 ? fallback : Number(process.argv[at + 1]);
	if (!Number.isFinite(value) || value <= 0)
		throw new Error(`--${name} wants a number above 0`);
	return value;
}

/** The word behind `--name`, or null. */
export function textFlag(name: string): string | null {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? null : (process.argv[at + 1] ?? null);
}

export interface Figure {
	readonly name: string;
	readonly value: number;
	readonly unit: Unit;
	/** At most so much is wanted; absent: it is only told. */
	readonly limit?: number;
}
/** `s`: seconds of wall time; `CPU s/min`: of all processors; `missed`: of a number of tries. */
export type Unit =
	| "ms"
	| "s"
	| "MiB"
	| "CPU s"
	| "CPU s/min"
	| "starts/min"
	| "x bare"
	| "an hour"
	| "missed";

/** Where `bench/all.ts` gathers figures; a bench that runs alone only prints. */
export const FIGURES_ENV = "NEXUS_BENCH_FIGURES";

/** One figure for the table of `bench/all.ts`. */
export function report(figure: Figure): void {
	const path = process.env[FIGURES_ENV];
	if (path !== undefined) appendFileSync(path, `${JSON.stringify(figure)}\n`);
}
