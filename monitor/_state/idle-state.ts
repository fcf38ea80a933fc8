/**
 * `idle-state.tsv`, `<window>\t<class>`: what the orchestrator has been told of idle workers (contract 03 §12.6). A sweep
 * forgets here; only a delivery learns.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface ToldRow {
	readonly window: string;
	readonly class: string;
}

export function idleStatePath(stateDir: string): string {
	return join(stateDir, "idle-state.tsv");
}

export function parseTold(line: string): ToldRow | null {
	const [window, cls, rest] = line.split("\t");
	return window && cls && rest === undefined ? { window, class: cls } : null;
}

/** An empty file means what a missing one does: nothing has been told yet. */
export function readIdleState(
	doors: StateDoors,
	stateDir: string,
): RowsRead<ToldRow> {
	const path = idleStatePath(stateDir);
	const found = doors.files.stat(path);
	if (found.kind === "ok" && found.stat.size === 0)
		return { kind: "ok", rows: [] };
	return readRows(doors, stateDir, path, parseTold);
}

export function writeIdleState(
	files: Files,
	stateDir: string,
	rows: readonly ToldRow[],
): WriteResult {
	return writeRows(
		files,
		idleStatePath(stateDir),
		rows.map((row) => `${column(row.window)}\t${column(row.class)}`),
	);
}
