/** `<root>/reports/`: where reports lie, the older ones in a folder for their month (contract 05 §7, §8.8). */
import { basename, join } from "node:path";
import type { Files } from "../_sys/doors.ts";

export function reportsDirOf(root: string): string {
	return join(root, "reports");
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
