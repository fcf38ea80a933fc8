/** `watcher.log`: the running watcher's stderr, redirected by the launcher, which is the single writer of the file (contract 01 §17, §26). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { firstFolder } from "../_sys/temp-dir.ts";

const MAX_BYTES = 10 * 1024 * 1024;

export function watcherLogPath(stateDir: string): string {
	return join(stateDir, "watcher.log");
}

/**
 * Where the log goes while the state dir cannot be written. Null: something lies there that is not our own file. The
 * folder may be everybody's, and what is appended to a symlink goes wherever its maker wants.
 */
export function degradedLogPath(
	files: Pick<Files, "stat" | "lstat" | "probeWritable">,
	env: Readonly<Record<string, string | undefined>>,
	uid: number,
): string | null {
	const folder = firstFolder(files, [env.TMPDIR]);
	const path = join(folder, "nexus-watcher-degraded.log");
	const found = files.lstat(path);
	if (found.kind === "absent") return path;
	return found.kind === "ok" &&
		found.stat.kind === "file" &&
		found.stat.uid === uid
		? path
		: null;
}

/** Before a start: above 10 MiB the log becomes `.1`. */
export function rotateWatcherLog(files: Files, stateDir: string): void {
	const path = watcherLogPath(stateDir);
	const found = files.stat(path);
	if (found.kind === "ok" && found.stat.size > MAX_BYTES)
		files.rename(path, `${path}.1`);
}
