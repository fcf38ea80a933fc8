/**
 * `idle-state.tsv`, `<window>\t<class>[\t<asked at>]`: what the orchestrator has been told of idle workers (contract 03
 * §12.6). A sweep forgets here; only a delivery learns.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface ToldRow {
	readonly window: string;
	readonly class: string;
	/** When the question that it waits for was put, epoch seconds; null: none, or nobody said when. */
	readonly askedAt: number | null;
}

export function idleStatePath(stateDir: string): string {
	return join(stateDir, "idle-state.tsv");
}

function parseTold(line: string): ToldRow | null {
	const [window, cls, asked, rest] = line.split("\t");
	const askedAt = digits(asked);
	const isRow = rest === undefined && (asked === undefined || askedAt !== null);
	return window && cls && isRow ? { window, class: cls, askedAt } : null;
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

/** A third column only for a row that was asked about. An unchanged file is left alone; no rows, no file. */
export function writeIdleState(
	files: Files,
	stateDir: string,
	rows: readonly ToldRow[],
): WriteResult {
	return writeRows(
		files,
		idleStatePath(stateDir),
		rows.map((row) =>
			[row.window, row.class, ...(row.askedAt === null ? [] : [row.askedAt])]
				.map(column)
				.join("\t"),
		),
	);
}
