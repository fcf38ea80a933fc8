/** What else in the state dir seems to speak of a window, beside the surfaces that are known to (contract 05 §13.4). */
import { join } from "node:path";
import type { Files } from "../../_sys/doors.ts";

/** So deep do files of a window lie. */
const MAX_DEPTH = 4;

/** Paths relative to the state dir: names that hold the window's as a word between `.` and `_`, and tables with a row of it. Nothing is deleted for it. */
export function findUnmanifested(
	files: Files,
	stateDir: string,
	window: string,
): readonly string[] {
	return walk(files, stateDir, "", 0).filter(
		(path) =>
			namesWindow(path, window) || hasRowOf(files, stateDir, path, window),
	);
}

/** Pure. */
export function namesWindow(path: string, window: string): boolean {
	const word = RegExp.escape(window);
	return new RegExp(`(?:^|[/._])${word}(?:$|[/._])`).test(path);
}

function hasRowOf(
	files: Files,
	stateDir: string,
	path: string,
	window: string,
): boolean {
	if (!path.endsWith(".tsv")) return false;
	const read = files.read(join(stateDir, path));
	if (read.kind !== "ok") return false;
	return read.text.split("\n").some((l) => l.split("\t", 1)[0] === window);
}

function walk(
	files: Files,
	stateDir: string,
	below: string,
	depth: number,
): readonly string[] {
	const listed = files.list(join(stateDir, below));
	if (listed.kind !== "ok" || depth > MAX_DEPTH) return [];
	return listed.names.flatMap((name) => {
		const path = join(below, name);
		const found = files.lstat(join(stateDir, path));
		const isDir = found.kind === "ok" && found.stat.kind === "dir";
		return isDir ? [path, ...walk(files, stateDir, path, depth + 1)] : [path];
	});
}
