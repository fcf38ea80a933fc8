/**
 * Reads a state file without touching it: for programs that only look, and for files that a live
 * writer replaces every few seconds anyway. Whoever acts on the file sets a damaged one aside (`damaged.ts`).
 */
import type { EverydayFiles, Files } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";

/** `parse` answers null for text that is not of the format; zero bytes are damaged. */
export function peekState<T>(
	files: Files,
	path: string,
	parse: (text: string) => T | null,
): StateRead<T> {
	const read = files.read(path);
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	if (read.text === "") return { kind: "damaged", why: "zero bytes" };
	const value = parse(read.text);
	return value === null
		? { kind: "damaged", why: "not of its format" }
		: { kind: "ok", value };
}

/** Modification time in epoch seconds (fractional); null when the file is absent or cannot be looked at. */
export function mtimeOf(files: EverydayFiles, path: string): number | null {
	const found = files.stat(path);
	return found.kind === "ok" ? found.stat.mtimeMs / 1000 : null;
}
