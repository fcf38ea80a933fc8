/** Where the state lives: one resolver for every program (contract 05 §2.4, 08 §0). */
import { dirname, join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { PROGRAMS } from "../_sys/names.ts";
import { stateDirFromEnv, stateDirOf } from "./state-dir-env.ts";

export { stateDirFromEnv, stateDirOf };

type Env = Readonly<Record<string, string | undefined>>;

export const PLACEHOLDER_ROOT = "/path/to/nexus";

/**
 * Precedence of contract 05 §2.4: env, then the config's `nexus.root` (the placeholder counts as
 * unset), then the install root, de-nested. The current directory never matters.
 */
export function resolveStateDir(
	env: Env,
	configRoot: string | null,
	installRoot: string,
	files: Files,
): string {
	const fromEnv = stateDirFromEnv(env);
	if (fromEnv !== null) return fromEnv;
	if (configRoot && configRoot !== PLACEHOLDER_ROOT)
		return stateDirOf(configRoot);
	return stateDirOf(primaryRoot(installRoot, files) ?? installRoot);
}

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
