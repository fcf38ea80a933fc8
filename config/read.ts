/** The configuration from disk: choose, read, parse, validate (contract 07 §2, §7, §9). Values are the resolver's. */
import type { Clock, FileStat, Files } from "../monitor/_sys/doors.ts";
import { cacheKey, readCache, sha256Hex, writeCache } from "./cache.ts";
import { type Choice, chooseConfigFile } from "./choose.ts";
import type { Examined } from "./examine.ts";
import type { ConfigIssue } from "./issues.ts";
import { judgeMode } from "./permissions.ts";
import type { Places } from "./places.ts";
import type { Env } from "./resolve.ts";

export { getKey } from "./tree.ts";

/** A file that somebody is just writing is younger than this. */
const FRESH_MS = 2000;
const RETRY_MS = 100;

export interface LoadFrom {
	readonly files: Files;
	readonly clock: Clock;
	readonly env: Env;
	/** `NEXUS_ROOT`, else the checkout. */
	readonly root: string;
	readonly uid: number;
	/** Where a good tree is cached. Not for the watcher and the launcher, which read in full. */
	readonly cachePath?: string;
}

export type LoadResult =
	| {
			readonly kind: "ok";
			readonly path: string;
			readonly isExample: boolean;
			readonly sha256: string;
			readonly tree: unknown;
			readonly warnings: readonly ConfigIssue[];
			/** Null when the tree came from the cache. */
			readonly places: Places | null;
	  }
	| {
			readonly kind: "none";
			readonly tried: readonly string[];
			readonly warnings: readonly ConfigIssue[];
	  }
	| {
			readonly kind: "bad";
			readonly path: string;
			readonly isExample: boolean;
			readonly issues: readonly ConfigIssue[];
			readonly warnings: readonly ConfigIssue[];
			/** Of the text; null when there was none to read. */
			readonly sha256: string | null;
			/** The tree with its bad values, when the text was at least a tree. */
			readonly tree: unknown;
	  };

/** Never throws. A file caught in the middle of a rewrite is read once more after 100 ms. */
export async function loadConfig(from: LoadFrom): Promise<LoadResult> {
	const first = await attempt(from);
	if (!first.mayBeTorn) return first.result;
	await from.clock.sleep(RETRY_MS);
	return (await attempt(from)).result;
}

interface Attempt {
	readonly result: LoadResult;
	readonly mayBeTorn: boolean;
}
type ChosenFile = Extract<Choice, { kind: "file" }>;

async function attempt(from: LoadFrom): Promise<Attempt> {
	const choice = chooseConfigFile(from.env, from.root, from.files);
	if (choice.kind === "none") return settled(choice);
	if (choice.kind === "bad") return settled(refuse(choice, choice.reason));
	const mode = choice.isExample
		? ({ kind: "good" } as const)
		: judgeMode(choice.stat, from.uid);
	if (mode.kind === "refused") return settled(refuse(choice, mode.message));
	const read = from.files.read(choice.path);
	if (read.kind !== "ok") {
		const gone = read.kind === "absent";
		const reason = gone ? "it vanished" : `unreadable: ${read.reason}`;
		return { result: refuse(choice, reason), mayBeTorn: gone };
	}
	const warnings = [...choice.warnings];
	if (mode.kind === "readable")
		warnings.push({ key: "", message: mode.message });
	return readText(from, { ...choice, warnings }, read.text);
}

async function readText(
	from: LoadFrom,
	chosen: ChosenFile,
	text: string,
): Promise<Attempt> {
	const { path, isExample, stat } = chosen;
	const sha256 = sha256Hex(text);
	const key = cacheKey(path, stat, sha256);
	const cached = from.cachePath
		? readCache(from.files, from.cachePath, key, from.uid)
		: null;
	if (cached !== null) {
		const { tree } = cached;
		const warnings = [...chosen.warnings, ...cached.warnings];
		const file = { path, isExample, sha256, tree, warnings };
		return settled({ kind: "ok", ...file, places: null });
	}
	const { examine } = await import("./examine.ts");
	const seen = examine(text);
	const { tree, warnings } = seen;
	if (from.cachePath && seen.issues.length === 0)
		writeCache(from.files, from.cachePath, key, { tree, warnings });
	return {
		result: resultOf(chosen, sha256, seen),
		mayBeTorn:
			text === "" || (seen.malformed && isFresh(stat, from.clock.nowMs())),
	};
}

function resultOf(
	chosen: ChosenFile,
	sha256: string,
	seen: Examined,
): LoadResult {
	const { path, isExample } = chosen;
	const { tree, issues, places } = seen;
	const warnings = [...chosen.warnings, ...seen.warnings];
	return issues.length === 0
		? { kind: "ok", path, isExample, sha256, tree, warnings, places }
		: { kind: "bad", path, isExample, issues, warnings, sha256, tree };
}

function refuse(
	at: { readonly path: string; readonly warnings: readonly ConfigIssue[] },
	message: string,
): LoadResult {
	const { path, warnings } = at;
	const file = { path, isExample: false, sha256: null, tree: null };
	return { kind: "bad", ...file, issues: [{ key: "", message }], warnings };
}

function settled(result: LoadResult): Attempt {
	return { result, mayBeTorn: false };
}

function isFresh(stat: FileStat, nowMs: number): boolean {
	return nowMs - stat.mtimeMs < FRESH_MS;
}
