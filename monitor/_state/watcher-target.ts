/** `watcher-target`: the name of the window the running watcher pastes into, and a newline (contract 01 §26). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

function watcherTargetPath(stateDir: string): string {
	return join(stateDir, "watcher-target");
}

/** Null when absent, empty or unreadable. */
export function readWatcherTarget(
	files: Files,
	stateDir: string,
): string | null {
	const read = files.read(watcherTargetPath(stateDir));
	return read.kind === "ok" ? read.text.trim() || null : null;
}

/** Once, at a start. */
export function writeWatcherTarget(
	files: Files,
	stateDir: string,
	target: string,
): WriteResult {
	return files.writeAtomic(watcherTargetPath(stateDir), `${target}\n`);
}
