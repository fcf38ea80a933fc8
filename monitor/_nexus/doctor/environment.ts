/** Variables of whoever asks that reach nexus or its agents, and do harm there. Decision only. */
import {
	COLOUR_VARIABLES,
	MUTING_VARIABLES,
	PARENT_VARIABLES,
} from "../../_sys/claude-env.ts";
import { REPOSITORY_VARIABLES } from "../../_sys/git-env.ts";
import { type Check, ok, warn } from "./check.ts";

interface Harm {
	readonly names: readonly string[];
	readonly does: string;
	readonly advice: string;
}

const UNSET = "unset it where the fleet, or its tmux server, is started from";

/** With what we start ourselves, the last of these are taken away. */
const HARMS: readonly Harm[] = [
	{
		names: ["ANTHROPIC_API_KEY"],
		does: "Claude Code asks once whether to use this key, and an agent stands at that question",
		advice: `answer it in a claude started by hand, or ${UNSET}`,
	},
	{
		names: ["CLAUDE_CODE_IGNORE_PERSISTED_TRUST"],
		does: "every agent stands at the question whether its folder is trusted",
		advice: UNSET,
	},
	{
		names: ["CLAUDE_CODE_RESTRICTED", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"],
		does: "the first forbids to skip permission prompts, the second wants bubblewrap: without that Claude Code ends at its start",
		advice: `apt-get install bubblewrap for the second, or ${UNSET}`,
	},
	{
		names: ["BUN_OPTIONS"],
		does: "every program of nexus is started with these options, hooks included",
		advice: UNSET,
	},
	{
		names: [...COLOUR_VARIABLES, ...MUTING_VARIABLES],
		does: "an agent started by hand is misread: no colours, no hooks, or no transcript. Those that nexus starts do not get it",
		advice: "unset it before you start one by hand",
	},
	{
		names: [...PARENT_VARIABLES, ...REPOSITORY_VARIABLES],
		does: "this is the shell of an agent or of a git hook: what you start by hand passes for a part of it",
		advice: "from a shell of your own",
	},
];

/** One finding for each kind of harm that something set here does; one that all is well where nothing is. */
export function checkEnvironment(
	env: Readonly<Record<string, string | undefined>>,
): readonly Check[] {
	const name = "environment";
	const found = HARMS.flatMap(({ names, does, advice }) => {
		const set = names.filter((one) => env[one] !== undefined);
		return set.length === 0
			? []
			: [warn(name, `${set.join(", ")}: ${does}`, advice)];
	});
	return found.length === 0 ? [ok(name, "nothing that does harm")] : found;
}
