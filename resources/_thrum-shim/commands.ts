/** The table of the shim's verbs, and finding the one that a command line names (contract 09 §6.7). */
import { recordBackend } from "../../monitor/_fleet/open.ts";
import { parseCli } from "../../monitor/_sys/cli.ts";
import { excerpt } from "../../monitor/_sys/excerpt.ts";
import { AGENT_COMMANDS } from "./agents.ts";
import {
	type Answer,
	type Command,
	error,
	type ShimContext,
	said,
	usage,
} from "./command.ts";
import { MAIL_COMMANDS } from "./mail.ts";
import { MONITOR_COMMANDS } from "./monitors.ts";
import { PANE_COMMANDS } from "./panes.ts";
import { STATE_COMMANDS } from "./state.ts";

export const COMMANDS: readonly Command[] = [
	...AGENT_COMMANDS,
	...PANE_COMMANDS,
	...MAIL_COMMANDS,
	...MONITOR_COMMANDS,
	...STATE_COMMANDS,
];

/** Help needs no fleet; `open` is called when a verb is to be run. */
export async function runShim(
	argv: readonly string[],
	open: () => Promise<ShimContext | Answer>,
): Promise<Answer> {
	const command = COMMANDS.find(({ words }) =>
		words.split(" ").every((word, at) => argv[at] === word),
	);
	if (command === undefined) return noCommand(argv);
	const { words, flags = {}, aliases = {}, needs = 0 } = command;
	const { takes = needs, required = [] } = command;
	const cli = parseCli(argv.slice(words.split(" ").length), {
		flags,
		aliases,
		maxPositionals: takes,
	});
	if (cli.kind === "help") return said(usageOf(command));
	if (cli.kind === "refused") return usage(`${words}: ${cli.message}`);
	const missing = required.find((flag) => cli.value(flag) === undefined);
	if (missing !== undefined) return usage(`${words} needs ${missing}`);
	if (cli.positionals.length < needs)
		return usage(`too few words\n${usageOf(command)}`);
	const ctx = await open();
	if ("exitCode" in ctx) return ctx;
	const [first = ""] = cli.positionals;
	const ended = await command.run(ctx, { ...cli, first });
	if (command.creates && ended.exitCode === 0) {
		const { doors, place } = ctx.local;
		recordBackend(doors.files, place.thrumDir, "local");
	}
	return ended;
}

function noCommand(argv: readonly string[]): Answer {
	const words = argv.filter((word) => !word.startsWith("-"));
	const asksHelp =
		argv.length === 0 || argv.some((w) => /^(-h|--help)$/.test(w));
	const [group] = words;
	const some = COMMANDS.filter(
		({ words }) => group === undefined || words.startsWith(`${group} `),
	);
	if (!asksHelp || some.length === 0)
		return error(`unknown command "${excerpt(words.join(" "))}"`, 2);
	const lines = some.map(usageOf);
	if (group === undefined) lines.push("thrum VERB --help shows one of them");
	return said(lines.join("\n"));
}

function usageOf({ words, args }: Command): string {
	return `usage: thrum ${words} ${args}`.trimEnd();
}
