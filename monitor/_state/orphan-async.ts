/**
 * `orphan-async-state.tsv`: workers that ended their turn with declared outside work and no wake-up of their own, and when
 * to try to wake them; `orphan-async-woken/<window key>`: when that was done last (contract 08 §4.3).
 */
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";
import { windowKey } from "./window-key.ts";

/** Times in epoch seconds. */
export interface OrphanRow {
	readonly window: string;
	/** `kind:id,kind:id` as the pane's line shows it: for people, and perhaps cut. The heartbeat has the whole list. */
	readonly waits: string;
	readonly firstSeen: number;
	readonly nextAttempt: number;
	/** Deliveries that failed. */
	readonly attempts: number;
}

export function orphanAsyncPath(stateDir: string): string {
	return join(stateDir, "orphan-async-state.tsv");
}

/** Null unless there are five columns and the last three are numbers; epoch seconds. */
export function parseOrphanRow(line: string): OrphanRow | null {
	const [window, waits, first, next, tries, ...more] = line.split("\t");
	const firstSeen = digits(first);
	const nextAttempt = digits(next);
	const attempts = digits(tries);
	if (!window || waits === undefined || more.length > 0) return null;
	if (firstSeen === null || nextAttempt === null || attempts === null)
		return null;
	return { window, waits, firstSeen, nextAttempt, attempts };
}

/** Without its newline; `writeRows` adds it. */
export function renderOrphanRow(row: OrphanRow): string {
	return [row.window, row.waits, row.firstSeen, row.nextAttempt, row.attempts]
		.map(column)
		.join("\t");
}

/** A damaged file is set aside and has no rows; one that cannot be read is `unreadable`. */
export function readOrphanRows(
	doors: StateDoors,
	stateDir: string,
): RowsRead<OrphanRow> {
	return readRows(doors, stateDir, orphanAsyncPath(stateDir), parseOrphanRow);
}

/**
 * Changes the rows as they are on disk now: scan and wakes both wait in between, and neither may write back what it read
 * before. Nothing is written when they cannot be read.
 */
export function changeOrphanRows(
	doors: StateDoors,
	stateDir: string,
	change: (rows: readonly OrphanRow[]) => readonly OrphanRow[],
): WriteResult {
	const read = readOrphanRows(doors, stateDir);
	if (read.kind === "unreadable")
		return { kind: "failed", code: "EUNREADABLE", reason: read.why };
	const path = orphanAsyncPath(stateDir);
	return writeRows(doors.files, path, change(read.rows).map(renderOrphanRow));
}

export function orphanWokenPath(stateDir: string, window: string): string {
	return join(stateDir, "orphan-async-woken", windowKey(window));
}

/** Null: never, or not known. */
export function readOrphanWoken(
	files: Files,
	stateDir: string,
	window: string,
): number | null {
	const read = files.read(orphanWokenPath(stateDir, window));
	return read.kind === "ok" ? digits(read.text.trim()) : null;
}

/** `at` in epoch seconds. Makes the folder. */
export function writeOrphanWoken(
	files: Files,
	stateDir: string,
	window: string,
	at: number,
): WriteResult {
	const path = orphanWokenPath(stateDir, window);
	files.mkdir(dirname(path));
	return files.writeAtomic(path, `${at}\n`);
}
