/** `idle-probe-previous-windows.txt`, a name a line: the windows that the last sweep knew something of (contract 03 §12.3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

function previousWindowsPath(stateDir: string): string {
	return join(stateDir, "idle-probe-previous-windows.txt");
}

/** `unreadable` is not "none": nothing may be taken for new or gone. */
export function readPreviousWindows(
	doors: StateDoors,
	stateDir: string,
): RowsRead<string> {
	const path = previousWindowsPath(stateDir);
	return readRows(doors, stateDir, path, (line) => line);
}

/** An unchanged file is left alone; no names, no file. */
export function writePreviousWindows(
	files: Files,
	stateDir: string,
	names: readonly string[],
): WriteResult {
	return writeRows(files, previousWindowsPath(stateDir), names.map(column));
}
