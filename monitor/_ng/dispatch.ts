/** From argv to a verb (contract 05 §2.1): dispatch and index read the same table, so that they cannot drift apart. */
import { excerpt } from "../_sys/excerpt.ts";
import { harmless } from "../_sys/stderr.ts";
import type { NgContext, NgVerbRow } from "./verb.ts";

export const NG_HEADER =
	"ng: the agents' command: GitHub as the bot, and the shared state";

/** Runs one call; resolves to the exit code. */
export async function dispatch(
	argv: readonly string[],
	verbs: readonly NgVerbRow[],
	ctx: NgContext,
): Promise<number> {
	const [first, ...rest] = argv;
	if (first === undefined) {
		ctx.err(NG_HEADER.replace(/^ng: /, ""));
		ctx.err("usage: ng <subcommand> (see ng --help)");
		return 1;
	}
	if (HELP_WORDS.includes(first)) {
		for (const line of verbIndex(verbs)) ctx.out(line);
		return 0;
	}
	const named = (name: string) => verbs.find((v) => v.name === name);
	const ofTwoWords = named(`${first} ${rest[0]}`);
	const verb = ofTwoWords ?? named(first);
	const args = ofTwoWords === undefined ? rest : rest.slice(1);
	if (verb === undefined) {
		ctx.err(`unknown subcommand: '${excerpt(first)}' (see ng --help)`);
		return 1;
	}
	// Answered before the verb's module is even loaded: asking for help must have no side effect.
	const askable = verb.group ? args.slice(0, 1) : args;
	if (!verb.facade && asksForHelp(askable, valueFlagsOf(verb))) {
		ctx.out(usageLine(verb));
		return 0;
	}
	return (await verb.load()).run(args, {
		...ctx,
		// A verb quotes what it was given, and what GitHub said of it.
		err: (line) => ctx.err(harmless(line)),
		errPlain: (line) => ctx.errPlain(harmless(line)),
	});
}

const HELP_WORDS: readonly string[] = ["help", "verbs", "-h", "--help"];

/** As a refusal prints it. */
export function usageLine(verb: NgVerbRow): string {
	return `usage: ng ${verb.name} ${verb.args}`.trimEnd();
}

/** Header and the complete index, by category in the table's order. */
function verbIndex(verbs: readonly NgVerbRow[]): readonly string[] {
	const categories = [...new Set(verbs.map((v) => v.category))];
	const width = Math.max(...verbs.map((v) => v.name.length));
	return [
		NG_HEADER,
		"usage: ng <subcommand> [arguments]   (ng <subcommand> --help: its usage)",
		...categories.flatMap((category) => [
			"",
			`${category}:`,
			...verbs
				.filter((v) => v.category === category)
				.map((v) => `  ${v.name.padEnd(width)} ${v.meaning}`),
		]),
	];
}

/** As its usage line shows them. */
function valueFlagsOf({ args }: NgVerbRow): readonly string[] {
	return [...args.matchAll(/(--[a-z-]+) (?=[\w<])/g)].map(
		([, flag = ""]) => flag,
	);
}

/** A `-h` that is the value of a flag is data (`--note -h`), and so is everything after `--`. */
function asksForHelp(
	args: readonly string[],
	valueFlags: readonly string[],
): boolean {
	const end = args.indexOf("--");
	const words = end < 0 ? args : args.slice(0, end);
	return words.some(
		(word, i) =>
			(word === "-h" || word === "--help") &&
			!valueFlags.includes(words[i - 1] ?? ""),
	);
}
