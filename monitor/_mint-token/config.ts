/** Which file the minter reads, and nothing else (contract 02 §3): an example file's ids "work" far enough to hide the error. */

import { join } from "node:path";
import { loadConfig } from "../../config/read.ts";
import { issueLines, warningLine } from "../../config/report.ts";
import { resolveConfig } from "../../config/resolve.ts";
import type { Config } from "../../config/schema.ts";
import { configCachePath } from "../_state/config-cache.ts";
import { type Home, resolveHome } from "../_state/home.ts";
import { stateDirFromEnv, stateDirOf } from "../_state/state-dir.ts";
import type { Doors } from "../_sys/doors.ts";
import { userHome } from "../_sys/user-home.ts";

export type MinterConfig =
	| {
			readonly kind: "ok";
			readonly config: Config;
			readonly home: Home;
			readonly warnings: readonly string[];
	  }
	| { readonly kind: "bad"; readonly lines: readonly string[] };

/** Never throws. `bad`: no file, or one that cannot be used. */
export async function readMinterConfig(
	doors: Pick<Doors, "files" | "clock" | "proc">,
	codeRoot: string,
): Promise<MinterConfig> {
	const { files, clock, proc } = doors;
	const { env, uid } = proc;
	const chosen = chooseFile(env, codeRoot);
	const stat = files.stat(chosen.path);
	if (stat.kind !== "ok" || stat.stat.kind !== "file")
		return { kind: "bad", lines: [chosen.missing] };
	const root = env.NEXUS_ROOT || codeRoot;
	const loaded = await loadConfig({
		files,
		clock,
		env: { ...env, NEXUS_CONFIG: chosen.path },
		root,
		uid,
		cachePath: configCachePath(stateDirFromEnv(env) ?? stateDirOf(root)),
	});
	if (loaded.kind === "none") return { kind: "bad", lines: [chosen.missing] };
	const { path } = loaded;
	if (loaded.kind === "bad")
		return { kind: "bad", lines: issueLines(path, loaded.issues) };
	const home = userHome(env);
	const resolved = resolveConfig(loaded.tree, env, { root, home });
	if (resolved.issues.length > 0)
		return { kind: "bad", lines: issueLines(path, resolved.issues) };
	const configRoot =
		resolved.config.source("nexus.root") === "file"
			? resolved.config["nexus.root"]
			: null;
	return {
		kind: "ok",
		config: resolved.config,
		home: resolveHome(env, configRoot, codeRoot, files),
		warnings: [...loaded.warnings, ...resolved.warnings].map((w) =>
			warningLine(path, w),
		),
	};
}

interface Chosen {
	readonly path: string;
	/** What to say when it is not a file. */
	readonly missing: string;
}

function chooseFile(
	env: Readonly<Record<string, string | undefined>>,
	codeRoot: string,
): Chosen {
	const { NEXUS_CONFIG: named, NEXUS_ROOT: root } = env;
	if (named)
		return { path: named, missing: `no such file: ${named} (NEXUS_CONFIG)` };
	const path = join(root || codeRoot, "config/nexus.yml");
	const missing = root
		? `no such file: ${path} (NEXUS_ROOT)`
		: `config/nexus.yml not found: no ${path}; set NEXUS_ROOT to the checkout that holds it`;
	return { path, missing };
}
