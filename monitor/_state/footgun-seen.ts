/** `footgun-seen/<window>.<tag>`: what a worker has been reminded of already; empty files (contract 08 §2.3). */
import { join } from "node:path";
import type { EverydayFiles } from "../_sys/doors.ts";

/** Characters that a file name cannot bear are replaced in both. */
export function footgunSeenPath(
	stateDir: string,
	window: string,
	tag: string,
): string {
	return join(stateDir, "footgun-seen", `${plain(window)}.${plain(tag)}`);
}

/** May it be said now? True the first time; hooks that ask at once get one yes. Also true where nothing can be remembered. */
export function sayOnce(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	tag: string,
): boolean {
	files.mkdir(join(stateDir, "footgun-seen"));
	const made = files.writeNew(footgunSeenPath(stateDir, window, tag), "");
	return made.kind === "ok" || made.code !== "EEXIST";
}

function plain(part: string): string {
	return part.replace(/[^A-Za-z0-9_-]/g, "_");
}
