/** Where reports lie, for the verbs that write or search them (contract 05 §7.1). */
import { reportsDirOf, resolveReportsDir } from "../_state/report-corpus.ts";
import { readSettings } from "../_state/settings.ts";
import type { NgContext } from "./verb.ts";

export interface ReportsDir {
	readonly dir: string;
	/** Where the watcher and `ng wrap-up` look. */
	readonly corpus: string;
	readonly isCorpus: boolean;
}

/** Null when only an unusable configuration could tell; its problems have been said. */
export async function findReportsDir(
	{ doors, codeRoot, err }: Pick<NgContext, "doors" | "codeRoot" | "err">,
	given: string | null,
): Promise<ReportsDir | null> {
	const { files, proc } = doors;
	const settings = await readSettings(doors, codeRoot, true);
	for (const line of settings.problems) err(line);
	const envRoot = proc.env.NEXUS_ROOT || null;
	if (settings.problems.length > 0 && given === null && envRoot === null)
		return null;
	const { config, home } = settings;
	const isConfigured = config.source("nexus.root") === "file";
	const configRoot = isConfigured ? config["nexus.root"] : null;
	const cwd = callerFolder(doors);
	const dir = resolveReportsDir(files, { given, envRoot, configRoot, cwd });
	const corpus = reportsDirOf(home.root);
	const real = (path: string) => files.realpath(path) ?? path;
	return { dir, corpus, isCorpus: real(dir) === real(corpus) };
}

/** The working folder of this process, `/` when it is gone. */
export function callerFolder({ proc }: Pick<NgContext["doors"], "proc">) {
	const cwd = proc.cwd(proc.pid);
	return cwd.kind === "ok" ? cwd.value : "/";
}
