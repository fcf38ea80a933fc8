/** `watcher.log`: the running watcher's stderr, redirected by the launcher, which is the single writer of the file (contract 01 §17, §26). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

const MAX_BYTES = 10 * 1024 * 1024;

export function watcherLogPath(stateDir: string): string {
	return join(stateDir, "watcher.log");
}

/** Where the log goes while the state dir cannot be written. */
export function degradedLogPath(
	env: Readonly<Record<string, string | undefined>>,
): string {
	return join(env.TMPDIR || "/tmp", "nexus-watcher-degraded.log");
}

/** Before a start: above 10 MiB the log becomes `.1`. */
export function rotateWatcherLog(files: Files, stateDir: string): void {
	const path = watcherLogPath(stateDir);
	const found = files.stat(path);
	if (found.kind === "ok" && found.stat.size > MAX_BYTES)
		files.rename(path, `${path}.1`);
}
