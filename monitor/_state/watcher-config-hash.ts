/** `watcher-config.sha256`: hash of the config text the running watcher loaded, so that others can see a later edit (contract 07 §8.6). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

function watcherConfigHashPath(stateDir: string): string {
	return join(stateDir, "watcher-config.sha256");
}

/** Once, at a start. */
export function writeWatcherConfigHash(
	files: Files,
	stateDir: string,
	sha256Hex: string,
): WriteResult {
	return files.writeAtomic(watcherConfigHashPath(stateDir), `${sha256Hex}\n`);
}

/** Null: no watcher has written one, or it ran without a file. */
export function readWatcherConfigHash(
	files: Files,
	stateDir: string,
): string | null {
	const read = files.read(watcherConfigHashPath(stateDir));
	return read.kind === "ok" ? read.text.trim() || null : null;
}
