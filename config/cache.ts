/**
 * The tree of the file that was last found good, so that a short-lived program
 * needs neither parser nor validator (contract 00 R5). A wrong or foreign cache is a miss.
 */
import type { FileStat, Files } from "../monitor/_sys/doors.ts";
import type { ConfigIssue } from "./issues.ts";
import { CONFIG_KEYS } from "./schema.ts";
import { isMapping } from "./tree.ts";

/** Moves when the meaning of a tree does, though the rows stay. */
const FORMAT = 1;

export interface CachedTree {
	readonly tree: unknown;
	readonly warnings: readonly ConfigIssue[];
}

/** Everything that must be the same for the cached tree to be the file's. */
export function cacheKey(path: string, stat: FileStat, sha256: string): string {
	return JSON.stringify({
		path,
		dev: stat.dev,
		ino: stat.ino,
		size: stat.size,
		mtime_ns: Math.round(stat.mtimeMs * 1e6),
		sha256,
		schema: schemaVersion(),
	});
}

/** Null on any doubt: absent, torn, of another file or schema, or writable by somebody else. */
export function readCache(
	files: Files,
	path: string,
	key: string,
	ownUid: number,
): CachedTree | null {
	const stat = files.lstat(path);
	if (stat.kind !== "ok" || stat.stat.kind !== "file") return null;
	if (stat.stat.uid !== ownUid || stat.stat.mode & 0o022) return null;
	const read = files.read(path);
	return read.kind === "ok" ? parseCache(read.text, key) : null;
}

/** Best effort: without a state directory every program simply reads in full. */
export function writeCache(
	files: Files,
	path: string,
	key: string,
	cached: CachedTree,
): void {
	const text = JSON.stringify({ key, ...cached });
	files.writeAtomic(path, text, { mode: 0o600 });
}

/** Of the text's UTF-8 bytes; what a cache names to say which file it stands for. */
export function sha256Hex(text: string): string {
	return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function schemaVersion(): string {
	return sha256Hex(JSON.stringify([FORMAT, CONFIG_KEYS])).slice(0, 12);
}

function parseCache(text: string, key: string): CachedTree | null {
	const data = jsonOrNull(text);
	if (!isMapping(data) || data.key !== key || !isMapping(data.tree))
		return null;
	const { tree, warnings } = data;
	if (!Array.isArray(warnings) || !warnings.every(isWarning)) return null;
	return { tree, warnings };
}

function isWarning(value: unknown): value is ConfigIssue {
	return (
		isMapping(value) &&
		typeof value.key === "string" &&
		typeof value.message === "string" &&
		(value.line === undefined || typeof value.line === "number")
	);
}

function jsonOrNull(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
