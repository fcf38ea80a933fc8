/** What a watcher inherits from whoever starts it (contract 01 §17.12, 00 R2, R13). Pure. */
import type { Home } from "../../_state/home.ts";
import { SESSION_VARIABLES } from "../../_sys/claude-env.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Complete environment of the watcher. `binDir` holds a program named `bun`; null = leave PATH alone. */
export function watcherEnv(
	env: Env,
	home: Home,
	binDir: string | null,
): Readonly<Record<string, string>> {
	const kept = Object.entries(env).filter(
		(e): e is [string, string] =>
			e[1] !== undefined &&
			!SESSION_VARIABLES.some((name) => name === e[0]) &&
			e[0] !== "WATCHER_LAUNCH_CALLER",
	);
	return {
		...Object.fromEntries(kept),
		PATH: withFolder(env.PATH ?? "/usr/bin:/bin", binDir),
		NEXUS_ROOT: home.root,
		NEXUS_STATE_DIR: home.stateDir,
		WATCHER_WINDOW: "headless",
	};
}

/**
 * The file to name to the watcher, or null. A file that moves the root (`nexus.root`) lies below the old one; the
 * watcher, told the new root alone, would not find it. An empty hash = no file was read.
 */
export function configToPin(
	homeRoot: string,
	searchedRoot: string,
	file: { readonly path: string; readonly sha256: string },
): string | null {
	return homeRoot !== searchedRoot && file.sha256 !== "" ? file.path : null;
}

/** PATH with `dir` in front, once. */
export function withFolder(path: string, dir: string | null): string {
	if (dir === null || path.split(":").includes(dir)) return path;
	return `${dir}:${path}`;
}
