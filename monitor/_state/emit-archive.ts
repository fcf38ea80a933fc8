/** `diffs/`: a byte copy of every report, named by time (contract 01 §13). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export interface PruneLimits {
	/** 0 = no limit by count. */
	readonly maxFiles: number;
	/** 0 or less = nothing is ever pruned. */
	readonly retentionDays: number;
	readonly maxPerRun: number;
}

/** What people look into for what was told. */
export function archiveDir(stateDir: string): string {
	return join(stateDir, "diffs");
}

/** `<UTC YYYY-MM-DD_HH-MM-SS>_<hex>[_<tag>].md`: byte order is order of time. */
export function archiveName(
	epochSeconds: number,
	hex: string,
	tag?: string,
): string {
	const time = new Date(epochSeconds * 1000)
		.toISOString()
		.slice(0, 19)
		.replace("T", "_")
		.replaceAll(":", "-");
	return `${[time, hex, ...(tag ? [tag] : [])].join("_")}.md`;
}

/** When an archive was written, by its name; null: the name does not say. Epoch seconds. */
export function epochOfArchive(name: string): number | null {
	const [, day, ...time] =
		/^(\d{4}-\d{2}-\d{2})_(\d{2})-(\d{2})-(\d{2})_/.exec(name) ?? [];
	const ms = Date.parse(`${day}T${time.join(":")}Z`);
	return Number.isNaN(ms) ? null : ms / 1000;
}

/** Greatest name by bytes, or null. No stat a file: stat-sorting 17 000 of them once blocked the loop for ten minutes. */
export function newestArchive(names: readonly string[]): string | null {
	return names
		.filter(isArchive)
		.reduce<string | null>(
			(newest, name) => (newest === null || name > newest ? name : newest),
			null,
		);
}

/**
 * Names to delete, oldest first. `names` in byte order, `today` = `YYYY-MM-DD` in UTC. Stops at
 * the first dated name that is neither too many nor too old.
 */
export function planPrune(
	names: readonly string[],
	today: string,
	limits: PruneLimits,
): readonly string[] {
	if (limits.retentionDays <= 0) return [];
	const archives = names.filter(isArchive);
	const cutoff = daysBefore(today, limits.retentionDays);
	const doomed: string[] = [];
	for (const name of archives) {
		if (doomed.length >= limits.maxPerRun) break;
		const left = archives.length - doomed.length;
		const day = /^\d{4}-\d{2}-\d{2}/.exec(name)?.[0];
		const tooMany = limits.maxFiles > 0 && left > limits.maxFiles;
		if (tooMany || (day !== undefined && day < cutoff)) doomed.push(name);
		else if (day !== undefined) break;
	}
	return doomed;
}

/** Makes the folder. */
export function writeArchive(
	files: Files,
	stateDir: string,
	name: string,
	body: string,
): WriteResult {
	const made = files.mkdir(archiveDir(stateDir));
	if (made.kind !== "ok") return made;
	return files.writeAtomic(archivePath(stateDir, name), body);
}

/** `name` with its ending, as `writeArchive` took it. */
export function archivePath(stateDir: string, name: string): string {
	return join(archiveDir(stateDir), name);
}

/** Names in byte order, or null: could not look. */
export function listArchives(
	files: Files,
	stateDir: string,
): readonly string[] | null {
	const listed = files.list(archiveDir(stateDir));
	if (listed.kind === "unreadable") return null;
	return listed.kind === "absent" ? [] : listed.names.filter(isArchive);
}

/** Other files of the folder are left out of every listing and of pruning. */
export function isArchive(name: string): boolean {
	return name.endsWith(".md");
}

function daysBefore(day: string, days: number): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000)
		.toISOString()
		.slice(0, 10);
}
