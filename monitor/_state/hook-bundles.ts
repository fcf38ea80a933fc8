/**
 * `settings/hooks/`: each hook as one file with its bytecode beside it. Claude Code waits for its hooks at every tool
 * call, and finding and reading a hook's modules takes longer than what it does (bench/hooks.ts). They are made anew
 * when an agent or the watcher starts and the sources have changed since; running agents have the same paths, so
 * theirs change, too.
 */
import { basename, join } from "node:path";
import type { ExecResult, Files, Proc, WriteResult } from "../_sys/doors.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { BUN_FLAGS, HOOKS, PROGRAMS } from "../_sys/names.ts";
import { sourceHash } from "../_sys/source-hash.ts";
import type { Home } from "./home.ts";

type Place = Pick<Home, "codeRoot" | "stateDir">;
type BundleDoors = {
	readonly files: Files;
	readonly proc: Pick<Proc, "exec" | "execPath" | "pid">;
};

export type HookBundles =
	| { readonly kind: "ok" }
	/** There are none that are of these sources: the sources themselves are to be run. */
	| { readonly kind: "failed"; readonly reason: string };

const ENTRIES: readonly string[] = [...HOOKS, PROGRAMS.workerHeartbeat];
const NAMES = ENTRIES.map((entry) => bundleName(entry));
/** It takes some 50 ms on an idle machine. */
const BUILD_MS = 20_000;
/** Two starts at once must not build into one folder. */
let builds = 0;

/** What the rendered settings point to. */
export function hookBundlesDir(stateDir: string): string {
	return join(stateDir, "settings/hooks");
}

/** The bundle that is run for `monitor/hooks/x.ts`; null: that is none of our hooks. */
export function hookBundle(dir: string, entry: string): string | null {
	return ENTRIES.includes(entry) ? join(dir, bundleName(entry)) : null;
}

/** Sees to it that the bundles are those of the checkout as it stands. */
export async function refreshHookBundles(
	{ files, proc }: BundleDoors,
	{ codeRoot, stateDir }: Place,
): Promise<HookBundles> {
	const sources = sourceHash(files, codeRoot, ...ENTRIES);
	if (sources.kind === "torn") return failed(`${sources.path} cannot be read`);
	const dir = hookBundlesDir(stateDir);
	const stamp = `${sources.hash} ${codeRoot} ${proc.execPath} ${Bun.version}\n`;
	if (areThere(files, dir, stamp)) return { kind: "ok" };
	builds += 1;
	const temp = `${dir}.tmp.${proc.pid}.${builds}`;
	const built = await proc.exec(bundleArgv(proc.execPath, codeRoot, temp), {
		timeoutMs: BUILD_MS,
		cwd: codeRoot,
	});
	const why = whyNot(built) ?? putInPlace(files, temp, dir, stamp);
	files.removeTree(temp);
	return why === null ? { kind: "ok" } : failed(why);
}

/** As `refreshHookBundles`, when some agent was started with bundles. */
export async function refreshUsedHookBundles(
	doors: BundleDoors,
	place: Place,
): Promise<HookBundles> {
	const isUsed = doors.files.stat(hookBundlesDir(place.stateDir)).kind === "ok";
	return isUsed ? refreshHookBundles(doors, place) : { kind: "ok" };
}

/** `cjs`, because bytecode is made of nothing else. Not minified: what a hook says of its failure stays readable. */
function bundleArgv(
	bun: string,
	codeRoot: string,
	outdir: string,
): readonly string[] {
	return [
		...[bun, ...BUN_FLAGS, "build", "--target=bun", "--format=cjs"],
		...["--bytecode", "--env=disable", "--entry-naming=[name].[ext]"],
		...[`--outdir=${outdir}`, ...ENTRIES.map((entry) => join(codeRoot, entry))],
	];
}

function areThere(files: Files, dir: string, stamp: string): boolean {
	const read = files.read(stampPath(dir));
	const there = files.list(dir);
	return (
		read.kind === "ok" &&
		read.text === stamp &&
		there.kind === "ok" &&
		NAMES.every((name) => there.names.includes(name))
	);
}

/**
 * A hook may start in between: Bun holds bytecode against its source, and runs the source where they differ. The stamp
 * goes first and comes last, so that a half-done change is done again.
 */
function putInPlace(
	files: Files,
	temp: string,
	dir: string,
	stamp: string,
): string | null {
	const made = files.list(temp);
	const names = made.kind === "ok" ? made.names : [];
	const missing = NAMES.find((name) => !names.includes(name));
	if (missing !== undefined) return `${missing} was not made`;
	const steps: readonly (() => WriteResult)[] = [
		() => files.mkdir(dir),
		() => files.remove(stampPath(dir)),
		...names.map(
			(name) => () => files.rename(join(temp, name), join(dir, name)),
		),
		() => files.writeAtomic(stampPath(dir), stamp),
	];
	for (const step of steps) {
		const done = step();
		if (done.kind === "failed") return done.reason;
	}
	return null;
}

function bundleName(entry: string): string {
	return `${basename(entry, ".ts")}.js`;
}

/** Which sources and which bun the bundles are of. */
function stampPath(dir: string): string {
	return join(dir, "sources");
}

function whyNot(built: ExecResult): string | null {
	if (built.kind !== "exited") return `bun build: ${built.kind}`;
	if (built.rc === 0) return null;
	return `bun build ended with ${built.rc}: ${excerpt(built.stderr)}`;
}

function failed(reason: string): HookBundles {
	return { kind: "failed", reason };
}
