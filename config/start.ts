/** What a program does about its configuration before it starts anything (contract 07 §5, §7, §8.2). */
import { ownConfigPath } from "./choose.ts";
import { checkRequired, placeholderLines } from "./identity.ts";
import { type LoadFrom, loadConfig } from "./read.ts";
import { issueLine, issueLines, notFoundLine, warningLine } from "./report.ts";
import { findStall } from "./stall.ts";
import { resolveWatcherConfig, type WatcherConfig } from "./watcher.ts";

export type StartConfig =
	| {
			readonly kind: "ok";
			readonly config: WatcherConfig;
			/** Lines for stderr and the log, once. */
			readonly warnings: readonly string[];
	  }
	| {
			readonly kind: "refused";
			/** `missing`: a required value is neither in the file nor in the environment. */
			readonly why: "invalid" | "placeholder" | "missing";
			/** What is wrong, for stderr and the log; the caller adds what it refuses to do. */
			readonly lines: readonly string[];
	  };

/**
 * Load, guard, resolve; in full, never from the cache. Refuses rather than start half: the caller
 * has signalled, locked and published nothing yet.
 */
export async function loadForStart(
	from: LoadFrom & { readonly home: string },
): Promise<StartConfig> {
	const stalled = await findStall(from);
	if (stalled !== null) return refuse("invalid", [stalled]);
	const { cachePath: _, ...uncached } = from;
	const loaded = await loadConfig(uncached);
	if (loaded.kind === "bad")
		return refuse("invalid", issueLines(loaded.path, loaded.issues));
	const path = loaded.kind === "ok" ? loaded.path : ownConfigPath(from.root);
	const file = loaded.kind === "ok" ? loaded : { path, sha256: "", tree: {} };
	const { templateTree } = await import("./template-tree.ts");
	const template = templateTree(from.files, from.root);
	const problems = checkRequired(file.tree, template, from.env, "all");
	if (problems.length > 0)
		return refuse("placeholder", placeholderLines(problems, path, "all"));
	const resolved = resolveWatcherConfig(file, from.env, from);
	const warnings = [...loaded.warnings, ...resolved.warnings].map((warning) =>
		warningLine(path, warning),
	);
	if (resolved.kind === "ok")
		return { kind: "ok", config: resolved.config, warnings };
	const env = resolved.issues.some((issue) => issue.env !== undefined);
	const lines = resolved.issues.map((issue) => issueLine(path, issue));
	return refuse(env ? "invalid" : "missing", [
		...warnings,
		...(loaded.kind === "none" ? [notFoundLine("config", loaded.tried)] : []),
		...lines,
	]);
}

function refuse(
	why: Extract<StartConfig, { kind: "refused" }>["why"],
	lines: readonly string[],
): StartConfig {
	return { kind: "refused", why, lines };
}
