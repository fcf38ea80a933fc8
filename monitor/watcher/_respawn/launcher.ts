/**
 * The launcher of an orchestrator (contract 04 §14 step 2, 08 §11.1): POSIX shell, because only a shell can set an environment and
 * then become another program in place. Pure.
 */
import { CLAUDE_LAUNCH_ENV, STARTER_VARIABLES } from "../../_sys/claude-env.ts";
import { shellExport, shellQuote } from "../../_sys/shell-quote.ts";

export interface OrchestratorLaunch {
	readonly path: string;
	readonly root: string;
	readonly target: string;
	/** What the watcher hands on of its own environment: the window's is the tmux server's. */
	readonly exports: readonly (readonly [name: string, value: string])[];
	/** Folders for the front of PATH. */
	readonly binFolders: readonly string[];
	/** The operator's own shell lines, read if they are there. */
	readonly localsEnv: string;
	/** How it works; without the file it starts all the same. */
	readonly agentPrompt: string;
	readonly claude: string;
	/** Null: there is no template of settings. */
	readonly settings: string | null;
	readonly session:
		| { readonly kind: "fresh"; readonly sessionId: string }
		| { readonly kind: "resume"; readonly sessionId: string };
}

/** The script takes itself away before anything else. Every value is quoted. */
export function renderOrchestratorLauncher(l: OrchestratorLaunch): string {
	const { session } = l;
	const flag = session.kind === "resume" ? "--resume" : "--session-id";
	const claude = [
		...["exec", shellQuote(l.claude), "--dangerously-skip-permissions"],
		...[flag, session.sessionId],
		...(l.settings === null ? [] : ["--settings", shellQuote(l.settings)]),
		// As part of the system prompt it outlives a resume and a compaction of the conversation.
		`\${prompt:+--append-system-prompt "$prompt"}`,
	];
	const own = [
		["NEXUS_ROOT", l.root],
		["NEXUS_IS_ORCHESTRATOR", "1"],
		["NEXUS_ORCHESTRATOR_WINDOW", l.target],
		["NEXUS_ORCH_SESSION_ID", session.sessionId],
	] as const;
	const front = l.binFolders.map((dir) => `${shellQuote(dir)}:`).join("");
	const locals = shellQuote(l.localsEnv);
	return [
		"#!/bin/sh",
		`rm -f ${shellQuote(l.path)}`,
		// What ends here stays to be read, and reads as dead.
		'tmux set-option -w -t "$TMUX_PANE" remain-on-exit on 2>/dev/null',
		...[...own, ...l.exports, ...CLAUDE_LAUNCH_ENV].map(shellExport),
		`unset ${[...STARTER_VARIABLES, "NEXUS_WORKER_WINDOW"].join(" ")}`,
		...(front === "" ? [] : [`export PATH=${front}"$PATH"`]),
		`if [ -r ${locals} ]; then . ${locals}; fi`,
		`cd ${shellQuote(l.root)} || exit 1`,
		`prompt=$(cat ${shellQuote(l.agentPrompt)})`,
		claude.join(" "),
		"",
	].join("\n");
}
