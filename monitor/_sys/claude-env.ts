import { REPOSITORY_VARIABLES } from "./git-env.ts";

/**
 * Environment of every Claude Code that we start (contract 00 C5): what it would ask or offer by itself would stand in
 * the way of what is pasted.
 */
export const CLAUDE_LAUNCH_ENV = [
	["CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "false"],
	// So long a pause and so large a session that a resume never asks whether to summarise first.
	["CLAUDE_CODE_RESUME_THRESHOLD_MINUTES", "999999999"],
	["CLAUDE_CODE_RESUME_TOKEN_THRESHOLD", "999999999999"],
] as const;

/**
 * By these Claude Code draws without colours, and then a suggestion in its box looks like a draft. Unset before it runs.
 * Who wants `CI` for the commands of agents sets it in `env` of Claude Code's settings: that comes after the colours.
 */
export const COLOUR_VARIABLES = ["CI", "NO_COLOR", "FORCE_COLOR"] as const;

/**
 * By these Claude Code (2.1.332) runs no hooks, keeps no transcript, is a session of another kind, or draws for the ear
 * instead of the eye: it would work, and nobody could tell what it does. Unset before it runs.
 */
export const MUTING_VARIABLES = [
	"CLAUDE_CODE_SIMPLE",
	"CLAUDE_CODE_SAFE_MODE",
	"CLAUDE_CODE_SKIP_PROMPT_HISTORY",
	"CLAUDE_CODE_SESSION_KIND",
	"CLAUDE_AX_SCREEN_READER",
] as const;

/** What Claude Code (2.1.332) tells the programs of its session. A child session, for one, writes no session file. */
export const PARENT_VARIABLES = [
	"AI_AGENT",
	"CLAUDECODE",
	"CLAUDE_CODE_CHILD_NOTES_DIR",
	"CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_MESSAGING_SOCKET",
	"CLAUDE_CODE_MESSAGING_TOKEN",
	"CLAUDE_CODE_SESSION_ATTENDED",
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_SSE_PORT",
	"CLAUDE_JOB_DIR",
	"CLAUDE_PID",
] as const;

/**
 * Variables that say whose session this is. The launcher and `svc` are often called from within an orchestrator's turn;
 * a watcher, a tmux server or a service that carried these on would make all that it starts look like that session.
 * And those of a git hook, which may call them, too.
 */
export const SESSION_VARIABLES = [
	"NEXUS_IS_ORCHESTRATOR",
	"NEXUS_WORKER_WINDOW",
	"CLAUDE_PROJECT_DIR",
	...PARENT_VARIABLES,
	...REPOSITORY_VARIABLES,
] as const;

/**
 * What a tmux server may have of whoever started it: by these a started agent would pass for a background session or for
 * somebody's child, would be drawn without colours, would tell nothing, or would commit to a repository that is not its
 * own. Unset before it runs.
 */
export const STARTER_VARIABLES = [
	...PARENT_VARIABLES,
	...COLOUR_VARIABLES,
	...MUTING_VARIABLES,
	...REPOSITORY_VARIABLES,
] as const;

/** By these anybody else would pass for the orchestrator. */
export const ORCHESTRATOR_VARIABLES = [
	"NEXUS_IS_ORCHESTRATOR",
	"NEXUS_ORCHESTRATOR_WINDOW",
	"NEXUS_ORCH_SESSION_ID",
] as const;
