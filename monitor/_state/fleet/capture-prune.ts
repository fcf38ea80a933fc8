/**
 * Forgets old snapshots below `T/agents/<agent>/watch-captures/`, when the operator says so: by itself nothing here is ever
 * removed (contract 09 §12.1). Age is what the names say, since a picture that is seen again keeps its first file.
 */
import { join } from "node:path";
import type { Files } from "../../_sys/doors.ts";

export interface Pruned {
	/** Files and folders, below the captures' folder. */
	readonly removed: readonly string[];
	readonly failed: readonly { readonly path: string; readonly why: string }[];
}
type PruneFiles = Pick<Files, "list" | "stat" | "remove" | "removeTree">;

/** Names that begin with the time of their pass, by folder. */
const STAMPED: readonly string[] = [
	".",
	"decisions",
	"archive/raw-ticks",
	"archive/records",
	"archive/source-records",
	"archive/health",
];
/** Named by content; each goes when it is old and no record that stays names it. */
const BLOBS = [
	{ dir: "archive/raw", named: /_([0-9a-f]{16})\.json$/ },
	{ dir: "archive/sources", named: /_([0-9a-f]{12})_[0-9a-f]{16}\.json$/ },
	{ dir: "archive/sources", named: /_([0-9a-f]{64})\.json$/ },
] as const;

/** `before`: epoch milliseconds. `dryRun`: what would be removed. Could not look: nothing is removed. */
export function pruneCaptures(
	files: PruneFiles,
	dir: string,
	before: number,
	dryRun: boolean,
): Pruned | { readonly kind: "unreadable"; readonly why: string } {
	const folders = new Map<string, readonly string[]>();
	for (const folder of [...STAMPED, ...BLOBS.map((blob) => blob.dir)]) {
		const listed = files.list(join(dir, folder));
		if (listed.kind === "unreadable")
			return { kind: "unreadable", why: `${folder}: ${listed.reason}` };
		folders.set(folder, listed.kind === "ok" ? listed.names : []);
	}
	const isOld = (name: string) => (stampOf(name) ?? before) < before;
	const old = STAMPED.flatMap((folder) =>
		(folders.get(folder) ?? []).filter(isOld).map((name) => join(folder, name)),
	);
	const kept = ["archive/records", "archive/source-records"].flatMap((folder) =>
		(folders.get(folder) ?? []).filter((name) => !isOld(name)),
	);
	// A pass that is under way has written the picture, and not yet its record.
	const isOldFile = (path: string) => {
		const found = files.stat(join(dir, path));
		return found.kind === "ok" && found.stat.mtimeMs < before;
	};
	const blobs = ["archive/raw", "archive/sources"].flatMap((folder) => {
		const named = new Set(namedBlobs(folder, kept));
		return (folders.get(folder) ?? [])
			.filter((name) => !PREFIXES.some((n) => named.has(name.slice(0, n))))
			.map((name) => join(folder, name))
			.filter(isOldFile);
	});
	return removeAll(files, dir, [...old, ...blobs], dryRun);
}

/** Lengths of the parts of a sum that records' names hold. */
const PREFIXES = [12, 16, 64] as const;

function namedBlobs(folder: string, records: readonly string[]) {
	const patterns = BLOBS.filter((blob) => blob.dir === folder);
	return records.flatMap((name) =>
		patterns.flatMap(({ named }) => named.exec(name)?.[1] ?? []),
	);
}

function removeAll(
	files: PruneFiles,
	dir: string,
	paths: readonly string[],
	dryRun: boolean,
): Pruned {
	if (dryRun) return { removed: paths, failed: [] };
	const done = paths.map((path) => {
		const whole = join(dir, path);
		const found = files.stat(whole);
		const isDir = found.kind === "ok" && found.stat.kind === "dir";
		return {
			path,
			end: isDir ? files.removeTree(whole) : files.remove(whole),
		};
	});
	return {
		removed: done.flatMap(({ path, end }) => (end.kind === "ok" ? [path] : [])),
		failed: done.flatMap(({ path, end }) =>
			end.kind === "ok" ? [] : [{ path, why: end.reason }],
		),
	};
}

/** Epoch milliseconds of `20260101-123015-…` or `20260101T123015…`; null for another name, which stays. */
function stampOf(name: string): number | null {
	const digits =
		/^(?:roster-capture-)?(\d{4})(\d\d)(\d\d)[-T](\d\d)(\d\d)(\d\d)/.exec(name);
	if (digits === null) return null;
	const [year = 0, month = 1, day = 1, ...time] = digits.slice(1).map(Number);
	const [hour = 0, minute = 0, second = 0] = time;
	return Date.UTC(year, month - 1, day, hour, minute, second);
}
