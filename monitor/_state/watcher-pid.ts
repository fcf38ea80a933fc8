/** `watcher.pid`: `<pid>\n` of the live watcher (contract 01 §2.4). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";
import { digits } from "./kv.ts";
import { peekState } from "./peek.ts";

export function watcherPidPath(stateDir: string): string {
	return join(stateDir, "watcher.pid");
}

/** Null for anything that is not one pid above 1. */
function parseWatcherPid(text: string): number | null {
	const pid = digits(text.trim());
	return pid !== null && pid > 1 ? pid : null;
}

/** A pid may have been reused: whoever acts on it checks what runs there. */
export function peekWatcherPid(
	files: Files,
	stateDir: string,
): StateRead<number> {
	return peekState(files, watcherPidPath(stateDir), parseWatcherPid);
}

/** Once, at a start. */
export function writeWatcherPid(
	files: Files,
	stateDir: string,
	pid: number,
): WriteResult {
	return files.writeAtomic(watcherPidPath(stateDir), `${pid}\n`);
}

/** At exit: removes the file only while it still holds our own pid, never a successor's. */
export function releaseWatcherPid(
	files: Files,
	stateDir: string,
	ownPid: number,
): void {
	const held = peekWatcherPid(files, stateDir);
	if (held.kind === "ok" && held.value === ownPid)
		removeWatcherPid(files, stateDir);
}

/** For whoever has just proven that the recorded watcher is gone. */
export function removeWatcherPid(files: Files, stateDir: string): WriteResult {
	return files.remove(watcherPidPath(stateDir));
}
