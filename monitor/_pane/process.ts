/** First witness: is a claude alive under the pane (contract 03 §9.4, §10)? Pure over a view of the process table. */
import type { Looked, Proc, ProcStat } from "../_sys/doors.ts";

/** The process table, read once for all panes of a sweep. */
export interface ProcView {
	readonly stat: (pid: number) => ProcStat | undefined;
	readonly children: (pid: number) => readonly ProcStat[];
	readonly exe: (pid: number) => Looked<string>;
}

/** null when the table cannot be read. */
export function processView(proc: Proc): ProcView | null {
	const table = proc.table();
	if (table.kind !== "ok") return null;
	const byPid = new Map(table.value.map((p) => [p.pid, p]));
	const byParent = Map.groupBy(table.value, (p) => p.ppid);
	return {
		stat: (pid) => byPid.get(pid),
		children: (pid) => byParent.get(pid) ?? [],
		exe: proc.exe,
	};
}

export type Answer3 = "yes" | "no" | "unknown";

/** What the tree under one pane looks like. */
export interface Tree {
	readonly live: Answer3;
	/** The claude nearest to the pane's own process. */
	readonly claude: ProcStat | null;
	/** Anything that runs below the pane's process: a launcher that has not become claude yet. */
	readonly hasDescendant: boolean;
	readonly exists: boolean;
	/** Some process is there and says nothing about itself. */
	readonly unidentified: boolean;
}

/** Breadth-first from the pane's process, six layers; zombies do not count. */
export function readTree(view: ProcView, panePid: number): Tree {
	const root = view.stat(panePid);
	let claude: ProcStat | null = null;
	let unidentified = false;
	let hasDescendant = false;
	for (const { process, depth } of walk(view, panePid, CLAUDE_LAYERS)) {
		if (isZombie(process)) continue;
		if (depth > 0) hasDescendant = true;
		const answer = isClaude(view, process);
		if (answer === "yes") claude ??= process;
		if (answer === "unknown") unidentified = true;
	}
	const live = claude !== null ? "yes" : unidentified ? "unknown" : "no";
	return {
		live,
		claude,
		hasDescendant,
		exists: root !== undefined,
		unidentified,
	};
}

/** Is there a live claude at or below this pid? */
export function hasLiveClaude(view: ProcView, panePid: number): Answer3 {
	return readTree(view, panePid).live;
}

/** Shells that claude left running behind its turn. Counts are 0 when not `reliable`. */
export interface BackgroundShells {
	readonly reliable: boolean;
	readonly count: number;
	/** utime + stime of their whole subtrees, in ticks. */
	readonly cpuTicks: number;
	/** Epoch seconds; 0 = unknown. */
	readonly oldestStart: number;
}

export const NO_SHELLS: BackgroundShells = {
	reliable: false,
	count: 0,
	cpuTicks: 0,
	oldestStart: 0,
};

/**
 * A shell with claude above it and no other such shell above it is one background shell. Claude
 * itself, its servers and the launcher's shell above it are none.
 */
export function backgroundShells(
	view: ProcView,
	panePid: number,
	clock: { readonly bootTime: number | null; readonly ticksPerSecond: number },
): BackgroundShells {
	let seenClaude = false;
	const found: ProcStat[] = [];
	const below = new Map<number, "claude" | "shell">();
	let cpuTicks = 0;
	for (const { process } of walk(view, panePid, SHELL_LAYERS)) {
		const above = below.get(process.ppid);
		if (isZombie(process)) continue;
		if (above !== undefined) below.set(process.pid, above);
		if (isClaude(view, process) === "yes") {
			seenClaude = true;
			if (above === undefined) below.set(process.pid, "claude");
		} else if (above === "claude" && SHELL.test(process.comm)) {
			below.set(process.pid, "shell");
			found.push(process);
		}
		if (below.get(process.pid) === "shell")
			cpuTicks += process.utime + process.stime;
	}
	if (!seenClaude) return NO_SHELLS;
	const starts = found.flatMap((p) => startEpoch(p, clock) ?? []);
	return {
		reliable: true,
		count: found.length,
		cpuTicks,
		oldestStart: starts.length === 0 ? 0 : Math.min(...starts),
	};
}

/** Start of a process, epoch seconds; null when it cannot be told. */
export function startEpoch(
	process: ProcStat,
	clock: { readonly bootTime: number | null; readonly ticksPerSecond: number },
): number | null {
	const ticks = Number(process.startTicks);
	if (clock.bootTime === null || !Number.isFinite(ticks)) return null;
	return clock.bootTime + Math.floor(ticks / clock.ticksPerSecond);
}

/** The pane's process is the first layer. */
const CLAUDE_LAYERS = 6;
const SHELL_LAYERS = 10;
const SHELL = /^-?(?:bash|sh|zsh|dash|ksh|fish)$/;
const NAME = /^claude(?:-code|\.exe)?$/;
/** The npm package, the native installer's folder of versions, or the bare name. */
const PROGRAM =
	/\/@anthropic-ai\/claude-code(?:-[a-z0-9-]+)?\/|\/claude\/versions\/|(?:^|\/)claude(?:-code|\.exe)?$/;

/**
 * By its program file, else by its name: a worker that was started through a real path has the
 * version as its name, one on node has node as its program.
 */
function isClaude(view: ProcView, process: ProcStat): Answer3 {
	const exe = view.exe(process.pid);
	if (exe.kind === "absent") return "no";
	if (exe.kind === "ok" && PROGRAM.test(exe.value)) return "yes";
	if (NAME.test(process.comm)) return "yes";
	return exe.kind === "unknown" && process.comm === "" ? "unknown" : "no";
}

function isZombie(process: ProcStat): boolean {
	return process.state === "Z" || process.state === "X";
}

function* walk(
	view: ProcView,
	root: number,
	layers: number,
): Generator<{ readonly process: ProcStat; readonly depth: number }> {
	const first = view.stat(root);
	let layer = first === undefined ? [] : [first];
	const seen = new Set<number>();
	for (let depth = 0; depth < layers && layer.length > 0; depth++) {
		const next: ProcStat[] = [];
		for (const process of layer) {
			if (seen.has(process.pid)) continue;
			seen.add(process.pid);
			yield { process, depth };
			next.push(...view.children(process.pid));
		}
		layer = next;
	}
}
