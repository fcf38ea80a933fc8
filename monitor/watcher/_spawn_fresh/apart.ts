/**
 * The orchestrator replaces itself. Its window's end ends its Claude Code, and that ends what it has started, child by child:
 * the replacement would die halfway, and the watcher would bring the old session back. So somebody else's child does it.
 */
import { watcherLogPath } from "../../_state/watcher-log.ts";
import type { Doors } from "../../_sys/doors.ts";
import { programArgv } from "../../_sys/names.ts";

/** What the launcher of an orchestrator exports. */
const MARK = "NEXUS_IS_ORCHESTRATOR";

/** By the mark that its launcher set for all that it starts. */
export function isOrchestrator({ proc }: Pick<Doors, "proc">): boolean {
	return proc.env[MARK] === "1";
}

/** Starts the same call anew, below nobody. The exit code. */
export function replaceFromOutside(
	{ proc, log }: Pick<Doors, "proc" | "log">,
	argv: readonly string[],
	{
		stateDir,
		codeRoot,
	}: { readonly stateDir: string; readonly codeRoot: string },
): 0 | 1 {
	const env = Object.entries(proc.env).flatMap(([name, value]) =>
		name === MARK || value === undefined ? [] : [[name, value] as const],
	);
	const started = proc.spawnDetached({
		argv: programArgv(proc.execPath, "spawnFreshOrchestrator", argv, codeRoot),
		env: Object.fromEntries(env),
		log: watcherLogPath(stateDir),
	});
	if (started.kind === "failed") {
		log.warn(`could not be started: ${started.reason}`);
		return 1;
	}
	log.info(
		"end your turn: you are replaced in a moment, and your window closes",
	);
	return 0;
}
