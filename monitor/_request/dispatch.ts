/** `request-channel <verb> …` (contract 08 §6.2). A verb's module is loaded when it runs. */
import { excerpt } from "../_sys/excerpt.ts";
import type { RequestContext, RequestVerb } from "./verb.ts";

const VERBS: Readonly<Record<string, () => Promise<RequestVerb>>> = {
	file: async () => (await import("./file.ts")).run,
	await: async () => (await import("./await.ts")).run,
	fetch: async () => (await import("./fetch.ts")).run,
	list: async () => (await import("./look.ts")).list,
	show: async () => (await import("./look.ts")).show,
	reqfile: async () => (await import("./look.ts")).reqfile,
	dir: async () => (await import("./look.ts")).dir,
	ack: async () => (await import("./close.ts")).ack,
	reply: async () => (await import("./reply.ts")).run,
	fail: async () => (await import("./close.ts")).fail,
};

const USAGE: readonly string[] = [
	"usage: ng request <verb> …",
	"  file [--origin W] --slug S [--kind K] [--priority normal|high] [--reply required|optional|none] [--no-publish] [--once] [--bytes N] (--message T | --file P | -)",
	"  await <id> [--timeout 1800] [--interval 5] [--principal P]",
	"  fetch <id> progress|results|status [--principal P]",
	"  list [--state new|claimed|replied|done|failed|all]",
	"  show <id> | reqfile <id> | dir",
	"  ack <id>",
	"  reply <id> [--message T | --file P | -] [--status S] [--worker W] [--dir P] [--issue o/r#N] [--no-publish] [--amend] [--progress P] [--results P]",
	"  fail <id> --reason T",
];

/** The verb's exit code; 1 for no verb and for an unknown one. */
export async function requestChannel(
	argv: readonly string[],
	ctx: RequestContext,
): Promise<number> {
	const [word, ...args] = argv;
	if (argv.slice(0, 2).some((arg) => arg === "--help" || arg === "-h")) {
		for (const line of USAGE) ctx.out(line);
		return 0;
	}
	if (word === undefined) {
		for (const line of ["a verb is missing", ...USAGE]) ctx.err(line);
		return 1;
	}
	const load = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
	if (load === undefined) {
		ctx.err(`unknown verb '${excerpt(word)}' (see --help)`);
		return 1;
	}
	return (await load())(args, ctx);
}
