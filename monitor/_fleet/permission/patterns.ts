/** Permission prompts by runtime, as data (contract 09 §8). The keys are facts for reports: only an agent presses any. */

/** What must stand within so many characters behind the first line. */
export interface Followed {
	readonly within: number;
	/** One alternative is enough; of each, all must match. */
	readonly anyOf: readonly (readonly RegExp[])[];
}
export interface Pattern {
	readonly runtime: string;
	readonly id: string;
	readonly line: RegExp;
	readonly followed?: Followed;
	/** A comma sequence, and no Enter behind it. Never a standing grant. */
	readonly approve: string;
	/** `by-shape`: which number says No differs from prompt to prompt. */
	readonly cancel: string;
}

const WITHIN = 500;
const CHOSEN_OPTION = /^[ \t]*❯[ \t]*\d\./m;
const TWO_OPTIONS = /^[ \t]*(?:❯[ \t]*)?\d\.[\s\S]*\n[ \t]*(?:❯[ \t]*)?\d\./m;

export const PATTERNS: readonly Pattern[] = [
	{
		runtime: "claude",
		id: "tool_confirmation",
		line: /^[ \t]*(?:⎿[ \t]*)?Do you want to proceed\?[ \t]*$/m,
		// Prose, too, ends in this question.
		followed: {
			within: WITHIN,
			anyOf: [
				[CHOSEN_OPTION],
				[/Esc to cancel · Tab to amend/],
				[/No, and tell Claude what to do differently/],
			],
		},
		approve: "1",
		cancel: "by-shape",
	},
	{
		runtime: "claude",
		id: "edit_confirmation",
		line: /^[ \t]*(?:⎿[ \t]*)?Do you want to (?:make this edit to|create|overwrite|allow Claude to fetch) /m,
		followed: { within: WITHIN, anyOf: [[CHOSEN_OPTION, TWO_OPTIONS]] },
		approve: "1",
		cancel: "by-shape",
	},
	{
		runtime: "codex",
		id: "tool_confirmation",
		line: /^[ \t]*Would you like to run the following command\?/m,
		approve: "1",
		cancel: "3",
	},
	{
		runtime: "cursor",
		id: "not_in_allowlist",
		line: /^[ \t]*Not in allowlist:/m,
		approve: "y",
		cancel: "Escape",
	},
	{
		runtime: "opencode",
		id: "permission_required",
		line: /^[ \t]*(?:[│┃][ \t]*)?△ Permission required/m,
		// The default option is "Allow once".
		approve: "Enter",
		cancel: "End,Enter",
	},
	{
		runtime: "kiro-cli",
		id: "shell_approval",
		line: /^[ \t]*shell requires approval/m,
		// The default is "Yes, single permission".
		approve: "Enter",
		cancel: "Escape",
	},
	{
		runtime: "auggie",
		id: "indexing_consent",
		line: /^[ \t]*(?:[→>][ \t]*)?(?:\[\d+\][ \t]*)?Always index this workspace/m,
		// For this session only; the highlighted default is the standing grant.
		approve: "3",
		cancel: "Escape",
	},
	{
		runtime: "auggie",
		id: "tool_approval",
		line: /^[ \t]*│[^\n]*Tool Approval Required[^\n]*│[ \t]*$/m,
		approve: "A",
		cancel: "D",
	},
];
