/** Where a program stands and what its configuration says, for the short-lived programs that load it at each call (contract 07 §7). */

import { getKey, type LoadResult, loadConfig } from "../../config/read.ts";
import { issueLines, warningLine } from "../../config/report.ts";
import { resolveConfig } from "../../config/resolve.ts";
import type { Config } from "../../config/schema.ts";
import type { Doors, Log } from "../_sys/doors.ts";
import { userHome } from "../_sys/user-home.ts";
import { configCachePath } from "./config-cache.ts";
import { type Home, resolveHome } from "./home.ts";
import { stateDirFromEnv, stateDirOf } from "./state-dir.ts";

export interface Settings {
	readonly home: Home;
	/** Resolved values; with an unusable file those of environment and code defaults. */
	readonly config: Config;
	/** Of the file that was read, or could not be used; null: there is none. */
	readonly configPath: string | null;
	/** Lines of contract 07 §6.2 when the file cannot be used; the program decides whether it goes on. */
	readonly problems: readonly string[];
	/** What the file says and nobody understands. */
	readonly warnings: readonly string[];
}

type SettingsDoors = Pick<Doors, "files" | "clock" | "proc"> &
	Partial<Pick<Doors, "log">>;

/**
 * `cached`: take the tree from the state dir's cache when it is the file's. A bad value in the environment is said to the
 * log, once a process: this program alone has that environment. Never throws.
 */
export async function readSettings(
	doors: SettingsDoors,
	codeRoot: string,
	cached: boolean,
): Promise<Settings> {
	const { files, clock, proc } = doors;
	const { env, uid } = proc;
	const root = env.NEXUS_ROOT || codeRoot;
	const stateDir = stateDirFromEnv(env) ?? stateDirOf(root);
	const loaded = await loadConfig({
		files,
		clock,
		env,
		root,
		uid,
		...(cached ? { cachePath: configCachePath(stateDir) } : {}),
	});
	const configRoot =
		loaded.kind === "ok" ? getKey(loaded.tree, "nexus.root") : null;
	const tree = loaded.kind === "ok" ? loaded.tree : {};
	const home = userHome(env);
	const resolved = resolveConfig(tree, env, { root, home });
	const configPath = loaded.kind === "none" ? null : loaded.path;
	const path = configPath ?? "config";
	for (const w of resolved.warnings) warnOnce(doors.log, warningLine(path, w));
	return {
		home: resolveHome(
			env,
			typeof configRoot === "string" ? configRoot : null,
			codeRoot,
			files,
		),
		config: resolved.config,
		configPath,
		problems: [
			...problemsOf(loaded),
			...(resolved.issues.length > 0 ? issueLines(path, resolved.issues) : []),
		],
		warnings: loaded.warnings.map((w) => warningLine(path, w)),
	};
}

const said = new WeakMap<Log, Set<string>>();

function warnOnce(log: Log | undefined, line: string): void {
	if (log === undefined) return;
	const before = said.get(log) ?? new Set();
	said.set(log, before);
	if (before.has(line)) return;
	before.add(line);
	log.warn(line);
}

function problemsOf(loaded: LoadResult): readonly string[] {
	return loaded.kind === "bad" ? issueLines(loaded.path, loaded.issues) : [];
}
