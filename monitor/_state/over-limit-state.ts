/**
 * `over-limit-state.tsv`: the panes that a usage limit holds, and when each is looked after next (contract 04 §9.3).
 * Exactly eight columns: older readers fold a ninth into `attempts`.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface LimitRow {
	readonly key: string;
	readonly window: string;
	readonly role: "orchestrator" | "worker";
	/** Reset words as reported, `_` for blanks, or `unknown`. */
	readonly token: string;
	/** Epoch seconds: the instant of the token, or a guess. */
	readonly resetAt: number;
	readonly firstSeen: number;
	readonly nextAttempt: number;
	readonly attempts: number;
}

export const ORCHESTRATOR_KEY = "_orchestrator";

/** `orchestrator` has a key of its own, so that a worker of that name is another row. */
export function limitKey(window: string, role: LimitRow["role"]): string {
	return role === "orchestrator"
		? ORCHESTRATOR_KEY
		: window.replace(/[^A-Za-z0-9_-]/gu, "_");
}

export function overLimitStatePath(stateDir: string): string {
	return join(stateDir, "over-limit-state.tsv");
}

/** Null unless there are eight columns, a known role and numbers where they belong. Epoch seconds. */
export function parseLimitRow(line: string): LimitRow | null {
	const fields = line.split("\t");
	const [key = "", window = "", role, token = ""] = fields;
	const [resetAt, firstSeen, nextAttempt, attempts] = fields
		.slice(4)
		.map(digits);
	if (fields.length !== 8 || key === "" || window === "") return null;
	if (role !== "orchestrator" && role !== "worker") return null;
	if (resetAt == null || firstSeen == null) return null;
	if (nextAttempt == null || attempts == null) return null;
	return {
		key,
		window,
		role,
		token,
		resetAt,
		firstSeen,
		nextAttempt,
		attempts,
	};
}

/** Without its newline; `writeRows` adds it. */
export function renderLimitRow(row: LimitRow): string {
	return [
		row.key,
		row.window,
		row.role,
		row.token,
		row.resetAt,
		row.firstSeen,
		row.nextAttempt,
		row.attempts,
	]
		.map(column)
		.join("\t");
}

/** A damaged file is set aside and has no rows; one that cannot be read is `unreadable`. */
export function readLimitRows(
	doors: StateDoors,
	stateDir: string,
): RowsRead<LimitRow> {
	return readRows(doors, stateDir, overLimitStatePath(stateDir), parseLimitRow);
}

/** The last row's removal removes the file. */
function writeLimitRows(
	files: Files,
	stateDir: string,
	rows: readonly LimitRow[],
): WriteResult {
	return writeRows(
		files,
		overLimitStatePath(stateDir),
		rows.map(renderLimitRow),
	);
}

/**
 * Changes the rows as they are now; no await stands between the reading and the writing, so that two tasks cannot undo
 * each other. False: they could not be read, and nothing was changed.
 */
export function updateLimitRows(
	doors: StateDoors,
	stateDir: string,
	change: (rows: readonly LimitRow[]) => readonly LimitRow[],
): boolean {
	const read = readLimitRows(doors, stateDir);
	if (read.kind !== "ok") return false;
	const rows = change(read.rows);
	if (rows !== read.rows) writeLimitRows(doors.files, stateDir, rows);
	return true;
}
