/** `skeptic-channel <verb> …` (contract 08 §7). A verb's module is loaded when it runs. */
import { excerpt } from "../_sys/excerpt.ts";
import { REFUSED, type SkepticContext, type SkepticVerb } from "./verb.ts";

interface Row {
	readonly args: string;
	readonly load: () => Promise<SkepticVerb>;
}

/** `<task>` is the reviewed window; a reviewed worker may leave it out. */
const SKEPTIC_VERBS: Readonly<Record<string, Row>> = {
	init: {
		args: "<task> [--depth N]",
		load: async () => (await import("./ask.ts")).init,
	},
	ask: {
		args: "<task> <slug> (--message T | --file P | -)",
		load: async () => (await import("./ask.ts")).ask,
	},
	poll: {
		args: "<task> [--state open|ack|answered|all]",
		load: async () => (await import("./look.ts")).poll,
	},
	await: {
		args: "[<task>] [--timeout 900] [--interval 5] [--once]",
		load: async () => (await import("./await.ts")).awaitQuestions,
	},
	answer: {
		args: "<task> <req> (--message T | --file P | -)",
		load: async () => (await import("./answer.ts")).run,
	},
	"await-answer": {
		args: "<task> <req> [--timeout 900] [--interval 5]",
		load: async () => (await import("./await.ts")).awaitAnswer,
	},
	reconcile: {
		args: "<task> [--grace 30] [--interval 15] [--max-iter 20] [--no-nudge]",
		load: async () => (await import("./reconcile.ts")).run,
	},
	close: {
		args: "<task>",
		load: async () => (await import("./close.ts")).close,
	},
	reset: {
		args: "<task>",
		load: async () => (await import("./close.ts")).reset,
	},
	list: { args: "", load: async () => (await import("./look.ts")).list },
	status: {
		args: "<task>",
		load: async () => (await import("./look.ts")).status,
	},
	nudge: {
		args: "<window> [--task <task>] [--force] [--min-interval 120]",
		load: async () => (await import("./nudge.ts")).run,
	},
	dir: { args: "<task>", load: async () => (await import("./look.ts")).dir },
	reqfile: {
		args: "<task> <req>",
		load: async () => (await import("./look.ts")).reqfile,
	},
};

const USAGE: readonly string[] = [
	"usage: ng skeptic <verb> …   (<task>: the reviewed window)",
	...Object.entries(SKEPTIC_VERBS).map(([name, { args }]) =>
		`  ${name} ${args}`.trimEnd(),
	),
	"exit: 0 well, 1 usage, 2 not there, 3 paste failed, 4 time is up, 5 not nudged, 6 never acknowledged, 10 the review is over",
];

/** The verb's exit code. */
export async function skepticChannel(
	argv: readonly string[],
	ctx: SkepticContext,
): Promise<number> {
	const [word = "", ...args] = argv;
	if (argv.slice(0, 2).some((arg) => arg === "--help" || arg === "-h")) {
		for (const line of USAGE) ctx.out(line);
		return 0;
	}
	const row = Object.hasOwn(SKEPTIC_VERBS, word)
		? SKEPTIC_VERBS[word]
		: undefined;
	if (row !== undefined) return (await row.load())(args, ctx);
	if (word === "")
		for (const line of ["a verb is missing", ...USAGE]) ctx.err(line);
	else ctx.err(`unknown verb '${excerpt(word)}' (see --help)`);
	return REFUSED;
}
