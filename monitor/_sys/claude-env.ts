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
