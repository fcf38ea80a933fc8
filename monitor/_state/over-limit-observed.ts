/** `over-limit-observed.tsv`, `<key>\t<epoch>`: when each limit was last seen in its pane (contract 04 §9.3, §9.5). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, readRows, writeRows } from "./rows-file.ts";

export interface Observation {
	readonly key: string;
	/** Epoch seconds. */
	readonly at: number;
}

function overLimitObservedPath(stateDir: string): string {
	return join(stateDir, "over-limit-observed.tsv");
}

function parseObservation(line: string): Observation | null {
	const [key = "", epoch] = line.split("\t");
	const at = digits(epoch);
	return key === "" || at === null ? null : { key, at };
}

/** Epoch seconds; null: never, or it cannot be read. */
export function observedAt(
	doors: StateDoors,
	stateDir: string,
	key: string,
): number | null {
	return rowsOf(doors, stateDir).find((row) => row.key === key)?.at ?? null;
}

/** Replaces the row of its key; the others stay. */
export function writeObserved(
	doors: StateDoors,
	stateDir: string,
	seen: Observation,
): void {
	const others = rowsOf(doors, stateDir).filter((row) => row.key !== seen.key);
	write(doors.files, stateDir, [...others, seen]);
}

/** Writes only when there was one. */
export function dropObserved(
	doors: StateDoors,
	stateDir: string,
	key: string,
): void {
	const rows = rowsOf(doors, stateDir);
	const kept = rows.filter((row) => row.key !== key);
	if (kept.length < rows.length) write(doors.files, stateDir, kept);
}

function rowsOf(doors: StateDoors, stateDir: string): readonly Observation[] {
	const path = overLimitObservedPath(stateDir);
	const read = readRows(doors, stateDir, path, parseObservation);
	return read.kind === "ok" ? read.rows : [];
}

function write(
	files: Files,
	stateDir: string,
	rows: readonly Observation[],
): void {
	const lines = rows.map(({ key, at }) => `${column(key)}\t${at}`);
	writeRows(files, overLimitObservedPath(stateDir), lines);
}
