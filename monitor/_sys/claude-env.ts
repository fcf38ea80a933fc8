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
 * Variables that say whose session this is. The launcher and `svc` are often called from within an orchestrator's turn;
 * a watcher, a tmux server or a service that carried these on would make all that it starts look like that session.
 */
export const SESSION_VARIABLES = [
	"NEXUS_IS_ORCHESTRATOR",
	"NEXUS_WORKER_WINDOW",
	"CLAUDECODE",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_SSE_PORT",
	"CLAUDE_JOB_DIR",
	"CLAUDE_PROJECT_DIR",
] as const;

/**
 * What a tmux server may have of whoever started it: by these a started agent would pass for a background session or for
 * somebody's child, or would be drawn without colours. Unset before it runs.
 */
export const STARTER_VARIABLES = [
	"CLAUDE_JOB_DIR",
	"CLAUDECODE",
	"CLAUDE_CODE_SESSION_ID",
	...COLOUR_VARIABLES,
] as const;

/** By these anybody else would pass for the orchestrator. */
export const ORCHESTRATOR_VARIABLES = [
	"NEXUS_IS_ORCHESTRATOR",
	"NEXUS_ORCHESTRATOR_WINDOW",
	"NEXUS_ORCH_SESSION_ID",
] as const;
