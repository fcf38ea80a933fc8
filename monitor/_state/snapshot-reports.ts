/** `snapshot-reports.cache` and `.dirmtime`: the last listing of the reports folder, and which state of the folder it shows (contract 01 §6). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

/** A listing is a count and some names; what is larger is not one of ours. */
const MAX_BYTES = 256 * 1024;

export interface ReportsCache {
	/** Lines of the reports section. */
	readonly lines: string;
	/** Modification time of the folder that was listed, ms; null when the listing may have missed something. */
	readonly dirMtimeMs: number | null;
}

function reportsCachePath(stateDir: string): string {
	return join(stateDir, "snapshot-reports.cache");
}

function reportsDirMtimePath(stateDir: string): string {
	return join(stateDir, "snapshot-reports.dirmtime");
}

/** Null without a usable cache: then the folder is listed. */
export function readReportsCache(
	files: Files,
	stateDir: string,
): ReportsCache | null {
	const cache = files.read(reportsCachePath(stateDir), MAX_BYTES);
	if (cache.kind !== "ok" || !isListing(cache.text)) return null;
	const stamp = files.read(reportsDirMtimePath(stateDir), 64);
	const ms = stamp.kind === "ok" ? Number(stamp.text.trim()) : Number.NaN;
	return {
		lines: cache.text,
		dirMtimeMs: Number.isFinite(ms) && ms > 0 ? ms : null,
	};
}

/** The cache before the stamp that vouches for it. */
export function writeReportsCache(
	files: Files,
	stateDir: string,
	cache: ReportsCache,
): void {
	const stamp = reportsDirMtimePath(stateDir);
	const written = files.writeAtomic(reportsCachePath(stateDir), cache.lines);
	if (written.kind !== "ok" || cache.dirMtimeMs === null) files.remove(stamp);
	else files.writeAtomic(stamp, `${cache.dirMtimeMs}\n`);
}

function isListing(text: string): boolean {
	return text.startsWith("reports-total: ") && text.endsWith("\n");
}
