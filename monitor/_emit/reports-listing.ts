/** The reports section of the snapshot: a count and the newest names (contract 01 §6). */
import { join } from "node:path";
import { reportStamp } from "../_state/report-corpus.ts";
import {
	type ReportsCache,
	readReportsCache,
	writeReportsCache,
} from "../_state/snapshot-reports.ts";
import { byBytes } from "../_sys/byte-order.ts";
import type { Clock, Files, Log } from "../_sys/doors.ts";
import { oneLine } from "./clean-text.ts";

export interface ReportsFacts {
	readonly root: string;
	readonly stateDir: string;
	/** How many names are listed. */
	readonly recent: number;
	readonly timeoutMs: number;
}
type Doors = {
	readonly files: Files;
	readonly clock: Clock;
	readonly log: Log;
};

/** A folder that changed this recently may change again without a new modification time. */
const STILL_MS = 2000;

/**
 * Names only: a report that is rewritten is no news. Interim reports are left out. The last names of all, and the youngest
 * by the time in their names: among more than `recent` reports, the new one of a project early in the alphabet was counted
 * and never named.
 */
export function renderReports(
	names: readonly string[],
	recent: number,
): string {
	const reports = names
		.filter((name) => name.endsWith(".md") && !/-interim.*\.md$/.test(name))
		.map((name) => oneLine(name))
		.sort(byBytes);
	const listed = new Set([
		...lastOf(reports, recent),
		...lastOf(byTime(reports), recent),
	]);
	return lines(
		`reports-total: ${reports.length} (top-level only; archived subdirectories NOT counted)`,
		...reports.filter((name) => listed.has(name)),
	);
}

function lastOf(names: readonly string[], count: number): readonly string[] {
	return count > 0 ? names.slice(-count) : [];
}

/** Oldest first; without those that tell no time. */
function byTime(names: readonly string[]): readonly string[] {
	return names
		.flatMap((name) => {
			const stamp = reportStamp(name);
			return stamp === null ? [] : [{ name, stamp }];
		})
		.sort((a, b) => byBytes(a.stamp, b.stamp))
		.map(({ name }) => name);
}

/**
 * Lists the folder only when it changed since it was listed, and never longer than the limit: at
 * 1300 reports a slow scan once flapped between a listing and a sentinel at every poll.
 */
export async function listReports(
	doors: Doors,
	f: ReportsFacts,
	signal: AbortSignal,
): Promise<string> {
	const dir = join(f.root, "reports");
	const cache = readReportsCache(doors.files, f.stateDir);
	const before = mtimeMsOf(doors.files, dir);
	if (cache !== null && before !== null && cache.dirMtimeMs === before)
		return cache.lines;
	const listed = await doors.files.listSlow(dir, f.timeoutMs, signal);
	if (listed.kind === "unreadable")
		return fallback(doors, cache, listed.reason);
	const text = renderReports(
		listed.kind === "ok" ? listed.names : [],
		f.recent,
	);
	const still =
		before !== null && doors.clock.nowMs() - before >= STILL_MS ? before : null;
	writeReportsCache(doors.files, f.stateDir, {
		lines: text,
		dirMtimeMs: still,
	});
	return text;
}

function fallback(
	{ log }: Doors,
	cache: ReportsCache | null,
	reason: string,
): string {
	log.warn(`snapshot: the reports folder could not be listed (${reason})`);
	return cache?.lines ?? lines("reports-total: (scan exceeded budget)");
}

function mtimeMsOf(files: Files, dir: string): number | null {
	const found = files.stat(dir);
	return found.kind === "ok" ? found.stat.mtimeMs : null;
}

function lines(...all: readonly string[]): string {
	return all.map((line) => `${line}\n`).join("");
}
