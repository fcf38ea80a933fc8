/** `watcher-stop-requested`: its presence says that the watcher is down on purpose (contract 01 §16.3, 06 §6.3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export function watcherStopRequestedPath(stateDir: string): string {
	return join(stateDir, "watcher-stop-requested");
}

/** `unknown` = could not look: whoever would revive holds its hand. */
export function stopRequested(
	files: Files,
	stateDir: string,
): "yes" | "no" | "unknown" {
	const found = files.lstat(watcherStopRequestedPath(stateDir));
	if (found.kind === "unreadable") return "unknown";
	return found.kind === "ok" ? "yes" : "no";
}

/** Written before the stop, so that nobody revives what is going down. */
export function requestStop(files: Files, stateDir: string): WriteResult {
	return files.touch(watcherStopRequestedPath(stateDir), { create: true });
}

/** `svc start` and `svc restart` take the word back. */
export function clearStopRequest(files: Files, stateDir: string): WriteResult {
	return files.remove(watcherStopRequestedPath(stateDir));
}
