/** Reads the configuration the way the programs do, for the doctor. */
import { checkRequired } from "../../../config/identity.ts";
import { loadConfig } from "../../../config/read.ts";
import { issueLine, warningLine } from "../../../config/report.ts";
import { resolveConfig } from "../../../config/resolve.ts";
import type { Config } from "../../../config/schema.ts";
import { templateTree } from "../../../config/template-tree.ts";
import type { Doors } from "../../_sys/doors.ts";
import type { ConfigFacts } from "./configuration.ts";

export interface ConfigReading {
	readonly facts: ConfigFacts;
	/** Null: there is no file that could be used. */
	readonly config: Config | null;
	/** `nexus.root` of the file, when it says one. */
	readonly root: string | null;
}

/** In full, never from the cache: a doctor looks himself. */
export async function readConfigFacts(
	doors: Pick<Doors, "files" | "clock" | "proc">,
	root: string,
): Promise<ConfigReading> {
	const { files, clock, proc } = doors;
	const { env, uid } = proc;
	const loaded = await loadConfig({ files, clock, env, root, uid });
	if (loaded.kind === "none")
		return without({ kind: "none", tried: loaded.tried });
	const { path } = loaded;
	if (loaded.kind === "bad") {
		const lines = loaded.issues.map((issue) => issueLine(path, issue));
		return without({ kind: "bad", path, lines });
	}
	const home = env.HOME ?? "";
	const { config, warnings, issues } = resolveConfig(loaded.tree, env, {
		root,
		home,
	});
	const template = templateTree(files, root);
	// The template's own values say nothing of this fleet.
	if (loaded.isExample) return without({ kind: "example", path });
	return {
		facts: {
			kind: "ok",
			path,
			warnings: [...loaded.warnings, ...warnings, ...issues].map((warning) =>
				warningLine(path, warning),
			),
			placeholders: checkRequired(loaded.tree, template, env, "all").map(
				(problem) => `${problem.key} = ${problem.value}`,
			),
			missing: (["github.repo", "github.user_login"] as const).filter(
				(key) => !config[key],
			),
		},
		// A bad address of the API is an issue: nothing may be asked of another one instead.
		config: issues.length > 0 ? null : config,
		root: config["nexus.root"],
	};
}

function without(facts: ConfigFacts): ConfigReading {
	return { facts, config: null, root: null };
}
