/** `respawn-consecutive-failures.txt` and the stamp of the slow-grind pause (contract 01 §15, 04 §12). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { mtimeOf } from "./peek.ts";

export interface RespawnFailures {
	readonly count: number;
	/** Epoch seconds; null when none is recorded. */
	readonly lastFailureAt: number | null;
}

export function respawnFailuresPath(stateDir: string): string {
	return join(stateDir, "respawn-consecutive-failures.txt");
}

/** ISO; the pause is measured by its mtime. */
function slowGrindTrippedPath(stateDir: string): string {
	return join(stateDir, "respawn-slow-grind-tripped");
}

/** Torn or foreign text counts as no failures: the guard delays, it never kills. */
function parseRespawnFailures(text: string): RespawnFailures {
	const kv = parseKv(text);
	return {
		count: digits(kv.get("count")) ?? 0,
		lastFailureAt: digits(kv.get("last_failure_ts")),
	};
}

/** None and unreadable both count as no failures: the guard must not stop a start for want of a file. */
export function readRespawnFailures(
	files: Files,
	stateDir: string,
): RespawnFailures {
	const read = files.read(respawnFailuresPath(stateDir));
	return parseRespawnFailures(read.kind === "ok" ? read.text : "");
}

/** `now` in epoch seconds; 0 failures are written, too. */
export function writeRespawnFailures(
	files: Files,
	stateDir: string,
	count: number,
	now: number,
): WriteResult {
	return files.writeAtomic(
		respawnFailuresPath(stateDir),
		renderKv([
			["count", count],
			["last_failure_ts", now],
		]),
	);
}

/** Epoch seconds of the pause's begin; null: there is none. */
export function slowGrindTrippedAt(
	files: Files,
	stateDir: string,
): number | null {
	return mtimeOf(files, slowGrindTrippedPath(stateDir));
}

/** `iso` is for people; what counts is the mtime. */
export function tripSlowGrind(
	files: Files,
	stateDir: string,
	iso: string,
): WriteResult {
	return files.writeAtomic(slowGrindTrippedPath(stateDir), `${iso}\n`);
}

/** Any successful spawn or paste. */
export function clearRespawnFailures(files: Files, stateDir: string): void {
	files.remove(respawnFailuresPath(stateDir));
	files.remove(slowGrindTrippedPath(stateDir));
}
