/** The command lines that a fleet may write to `thrum` (contract 09 §5), and nothing else. */

export interface Verb {
	/** Words that name it: `tmux create`. */
	readonly words: string;
	readonly positionals: number;
	/** By flag: does it take a value? */
	readonly flags: Readonly<Record<string, boolean>>;
	readonly required?: readonly string[];
	/** Never together with the verb. */
	readonly forbidden?: readonly string[];
	/** What stands behind `--`. */
	readonly rest?: boolean;
	readonly stdin?: boolean;
}

const PIN = { "--model": true, "--effort": true };
const JSON_FLAG = { "--json": false };

export const VERBS: readonly Verb[] = [
	verb("team", 1, { "--offline": false, "--all": false, ...JSON_FLAG }, [
		"--json",
	]),
	verb("whoami", 0, JSON_FLAG, ["--json"]),
	{
		...verb(
			"worktree create",
			1,
			{ "-b": true, "--base": true, ...JSON_FLAG },
			["--json"],
		),
		forbidden: ["--name", "--role", "--module"],
	},
	verb("worktree teardown", 1, { "--delete-branch": false }),
	verb(
		"tmux create",
		1,
		{
			"--cwd": true,
			"--name": true,
			"--role": true,
			"--module": true,
			"--intent": true,
			"--runtime": true,
			...PIN,
			...JSON_FLAG,
		},
		["--cwd", "--name", "--role", "--module", "--model", "--effort", "--json"],
	),
	verb("tmux launch", 1, { "--runtime": true, ...PIN, ...JSON_FLAG }, [
		"--model",
		"--effort",
		"--json",
	]),
	{
		...verb("tmux restart", 1, { "--runtime": true, ...PIN, ...JSON_FLAG }, [
			"--model",
			"--effort",
			"--json",
		]),
		forbidden: ["--force"],
	},
	verb("tmux kill", 1, {}),
	verb("tmux status", 0, JSON_FLAG, ["--json"]),
	verb(
		"tmux capture",
		1,
		{ "--lines": true, "--daemon-id": true, "--format": true },
		["--lines"],
	),
	verb("tmux send", 2, { "--keys": true }),
	{
		...verb("send", 0, { "--to": true, "--stdin": false, ...JSON_FLAG }, [
			"--to",
			"--stdin",
			"--json",
		]),
		stdin: true,
	},
	{
		...verb("reply", 1, { "--stdin": false, ...JSON_FLAG }, [
			"--stdin",
			"--json",
		]),
		stdin: true,
	},
	verb("inbox", 0, { "--unread": false, "--limit": true, ...JSON_FLAG }, [
		"--limit",
		"--json",
	]),
	verb(
		"sent",
		0,
		{ "--unread": false, "--to": true, "--limit": true, ...JSON_FLAG },
		["--limit", "--json"],
	),
	verb(
		"detect",
		0,
		{ "--category": true, "--pane-file": true, "--runtime": true },
		["--category", "--pane-file", "--runtime"],
	),
	{
		...verb(
			"monitor start",
			0,
			{
				"--name": true,
				"--match": true,
				"--to": true,
				"--cwd": true,
				"--env": true,
				"--notify-on-success": false,
				"--schedule": true,
			},
			[
				"--name",
				"--match",
				"--to",
				"--cwd",
				"--notify-on-success",
				"--schedule",
			],
		),
		rest: true,
	},
	verb("monitor list", 0, { "--all": false, ...JSON_FLAG }, ["--json"]),
	verb("monitor show", 1, JSON_FLAG, ["--json"]),
	verb("monitor stop", 1, {}),
	verb("monitor delete", 1, {}),
	verb("state show", 1, JSON_FLAG, ["--json"]),
	verb("state list", 0, { "--kind": true, ...JSON_FLAG }, ["--kind", "--json"]),
];

export interface Call {
	readonly verb: Verb;
	readonly positionals: readonly string[];
	readonly flags: ReadonlyMap<string, readonly string[]>;
	readonly rest: readonly string[];
}

/** The call, or why the contract knows no such one. */
export function readCall(argv: readonly string[]): Call | string {
	const found = VERBS.findLast((v) => {
		const words = v.words.split(" ");
		return words.every((word, i) => argv[i] === word);
	});
	if (found === undefined) return `no such verb: ${argv.join(" ")}`;
	const positionals: string[] = [];
	const flags = new Map<string, string[]>();
	const words = argv.slice(found.words.split(" ").length);
	let rest: readonly string[] = [];
	for (let i = 0; i < words.length; i++) {
		const word = words[i] ?? "";
		if (word === "--" && found.rest) {
			rest = words.slice(i + 1);
			break;
		}
		if (!word.startsWith("-")) {
			positionals.push(word);
			continue;
		}
		const [flag = "", inline] = word.split("=", 2);
		if (found.forbidden?.includes(flag)) return `${flag} is forbidden`;
		const takesValue = found.flags[flag];
		if (takesValue === undefined) return `${found.words}: unknown ${flag}`;
		const value = takesValue ? (inline ?? words[++i]) : "";
		if (value === undefined) return `${flag} without a value`;
		flags.set(flag, [...(flags.get(flag) ?? []), value]);
	}
	const missing = found.required?.find((flag) => !flags.has(flag));
	if (missing !== undefined) return `${found.words}: ${missing} is missing`;
	if (positionals.length > found.positionals)
		return `${found.words}: too many words`;
	if (found.rest && rest.length === 0)
		return `${found.words}: nothing behind --`;
	return { verb: found, positionals, flags, rest };
}

function verb(
	words: string,
	positionals: number,
	flags: Verb["flags"],
	required: readonly string[] = [],
): Verb {
	return { words, positionals, flags, required };
}
