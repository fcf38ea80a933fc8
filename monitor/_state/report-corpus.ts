/** `<root>/reports/`: where reports lie, the older ones in a folder for their month (contract 05 §7, §8.8). */
import { basename, dirname, join, resolve } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { PLACEHOLDER_ROOT, primaryRoot } from "./state-dir.ts";

/** The only `reports/` that anybody looks into. */
export function reportsDirOf(root: string): string {
	return join(root, "reports");
}

export interface ReportsDirFacts {
	/** What the caller named. */
	readonly given: string | null;
	/** `NEXUS_ROOT`. */
	readonly envRoot: string | null;
	/** `nexus.root` of the configuration. */
	readonly configRoot: string | null;
	readonly cwd: string;
}

/**
 * Where a new report goes: the named folder, else that of the root by environment or configuration, else the nearest
 * above the current folder. A worker's clone below `work/` counts as its primary root.
 */
export function resolveReportsDir(files: Files, f: ReportsDirFacts): string {
	if (f.given !== null) return resolve(f.cwd, f.given);
	for (const root of [f.envRoot, f.configRoot]) {
		if (!root || root === PLACEHOLDER_ROOT) continue;
		const primary = primaryRoot(root, files);
		if (primary !== null) return reportsDirOf(primary);
	}
	const above = nearestWithReports(files, f.cwd);
	if (above === null) return reportsDirOf(f.cwd);
	return reportsDirOf(primaryRoot(above, files) ?? above);
}

function nearestWithReports(files: Files, dir: string): string | null {
	const found = files.stat(reportsDirOf(dir));
	if (found.kind === "ok" && found.stat.kind === "dir") return dir;
	const above = dirname(dir);
	return above === dir ? null : nearestWithReports(files, above);
}

/** The report of this base name: in the folder itself, else in that of its month; null when it is in neither. */
export function findReport(
	files: Files,
	dir: string,
	name: string,
): string | null {
	const base = basename(name);
	// As the monthly archive reads a name: a time need not stand in it.
	const month = /(\d{4}-\d{2})-\d{2}/.exec(base)?.[1];
	const places = month === undefined ? [dir] : [dir, join(dir, month)];
	const paths = places.map((place) => join(place, base));
	return paths.find((path) => files.stat(path).kind === "ok") ?? null;
}

export interface ReportFile {
	readonly path: string;
	/** `2026-05-11_134201`, by the name; null for a name without it. */
	readonly stamp: string | null;
}

/** Every report, newest first by name; those whose name tells no time come last. Null: could not look. */
export function listReports(
	files: Files,
	dir: string,
): readonly ReportFile[] | null {
	const listed = files.list(dir);
	if (listed.kind === "absent") return [];
	if (listed.kind === "unreadable") return null;
	const months = listed.names.filter((name) => /^\d{4}-\d{2}$/.test(name));
	const found = [dir, ...months.map((month) => join(dir, month))].flatMap(
		(folder) => {
			const inside = files.list(folder);
			return inside.kind === "ok"
				? inside.names.filter(isReport).map((name) => join(folder, name))
				: [];
		},
	);
	return found
		.map((path) => ({ path, stamp: reportStamp(path) }))
		.sort((a, b) => compare(b.stamp ?? "", a.stamp ?? ""));
}

/** `project_YYYY-MM-DD_HHMMSS_slug.md`. */
export function reportStamp(path: string): string | null {
	const [, stamp] = /_(\d{4}-\d{2}-\d{2}_\d{6})_/.exec(basename(path)) ?? [];
	return stamp ?? null;
}

function isReport(name: string): boolean {
	return name.endsWith(".md") && !name.startsWith(".");
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
