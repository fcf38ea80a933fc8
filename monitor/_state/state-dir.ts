/** Where the state lives, as environment and folders say it; `resolveHome` joins them (contract 05 §2.4, 08 §0). */
import { dirname, join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { PROGRAMS } from "../_sys/names.ts";
import { stateDirFromEnv, stateDirOf } from "./state-dir-env.ts";

export { stateDirFromEnv, stateDirOf };

export const PLACEHOLDER_ROOT = "/path/to/nexus";

/**
 * The primary checkout of a worktree below `<root>/work/`: a worker's clone must not get a state
 * dir of its own, which the watcher never reads. Null for a missing folder.
 */
export function primaryRoot(dir: string, files: Files): string | null {
	if (dir === "") return null;
	const real = files.realpath(dir);
	if (real === null) return null;
	let path = real;
	for (;;) {
		const at = path.lastIndexOf("/work/");
		if (at < 0) return real;
		path = path.slice(0, at);
		if (looksLikeRoot(path, files)) return path;
		if (path === "" || path === dirname(path)) return real;
	}
}

function looksLikeRoot(path: string, files: Files): boolean {
	const ng = files.stat(join(path, PROGRAMS.ng));
	return (
		isDir(files, join(path, "monitor")) &&
		isDir(files, join(path, "config")) &&
		ng.kind === "ok" &&
		ng.stat.kind === "file" &&
		(ng.stat.mode & 0o111) !== 0
	);
}

function isDir(files: Files, path: string): boolean {
	const s = files.stat(path);
	return s.kind === "ok" && s.stat.kind === "dir";
}
