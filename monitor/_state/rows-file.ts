/** Small state files with a row a line: reading one that may be damaged, writing one only when it changed. */
import type { Files, WriteResult } from "../_sys/doors.ts";
import { type StateDoors, setAside } from "./damaged.ts";

/** `unreadable`: could not look, and nothing may be concluded or overwritten. */
export type RowsRead<T> =
	| { readonly kind: "ok"; readonly rows: readonly T[] }
	| { readonly kind: "unreadable"; readonly why: string };

/**
 * Rows in file order. `parseRow` answers null for a line that is none: it costs only itself. A file without one
 * good row is damaged: reported, set aside once, and read as no rows.
 */
export function readRows<T>(
	doors: StateDoors,
	stateDir: string,
	path: string,
	parseRow: (line: string) => T | null,
): RowsRead<T> {
	const read = doors.files.read(path);
	if (read.kind === "absent") return { kind: "ok", rows: [] };
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	const rows = parseRows(read.text, parseRow);
	if (rows.length === 0)
		setAside(
			doors,
			stateDir,
			path,
			read.text === "" ? "zero bytes" : "not of its format",
		);
	return { kind: "ok", rows };
}

/** In file order; empty lines and those that `parseRow` refuses are skipped. */
export function parseRows<T>(
	text: string,
	parseRow: (line: string) => T | null,
): readonly T[] {
	return text.split("\n").flatMap((line) => {
		const row = line === "" ? null : parseRow(line);
		return row === null ? [] : [row];
	});
}

/** Leaves an unchanged file alone. No rows, no file: zero bytes would read as damage. */
export function writeRows(
	files: Files,
	path: string,
	lines: readonly string[],
): WriteResult {
	const text = lines.map((line) => `${line}\n`).join("");
	const read = files.read(path);
	if (text === "")
		return read.kind === "absent" ? { kind: "ok" } : files.remove(path);
	if (read.kind === "ok" && read.text === text) return { kind: "ok" };
	return files.writeAtomic(path, text);
}

/** A value as one column: tabs and line breaks would end it. */
export function column(value: string | number): string {
	return String(value).replace(/[\t\r\n]+/g, " ");
}
