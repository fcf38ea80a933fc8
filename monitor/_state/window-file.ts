/** Small files of one window, `<folder>/<window><ending>`, with its name as it is (contract 08 §0). */
import { dirname, join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";

/** Null for a name that is no file name: such a window has no file, and no other window's is touched for it. */
export function windowFile(
	folder: string,
	window: string,
	ending = "",
): string | null {
	return isFileName(window) ? join(folder, `${window}${ending}`) : null;
}

/** No path, no NUL, and neither of the two dots. */
export function isFileName(window: string): boolean {
	return !["", ".", ".."].includes(window) && !/[/\0]/.test(window);
}

/** What `parse` makes of the file; null when there is none, none that can be read, or `path` is null. */
export function readWindowFile<T>(
	files: EverydayFiles,
	path: string | null,
	parse: (text: string) => T | null,
): T | null {
	const read = path === null ? null : files.read(path);
	return read?.kind === "ok" ? parse(read.text) : null;
}

/** Makes the folder when it is missing. */
export function writeWindowFile(
	files: EverydayFiles,
	path: string | null,
	text: string,
): WriteResult {
	if (path === null) return { kind: "ok" };
	files.mkdir(dirname(path));
	return files.writeAtomic(path, text);
}

/** A null path, and none there, are fine. */
export function removeWindowFile(
	files: EverydayFiles,
	path: string | null,
): void {
	if (path !== null) files.remove(path);
}
