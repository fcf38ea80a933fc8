/** The verbs of `./nexus`: data, each loaded only when it runs. */
import { handsOverTo } from "./programs.ts";
import type { Verb, VerbContext } from "./verb.ts";

interface VerbRow {
	readonly name: string;
	readonly args: string;
	readonly meaning: string;
	readonly load: () => Promise<{ readonly run: Verb }>;
	/** The program that it hands over to has a `--help` of its own. */
	readonly saysMore?: true;
}

export const VERBS: readonly VerbRow[] = [
	{
		name: "up",
		args: "[--dry-run]",
		meaning: "bring up watcher, orchestrator, services and workers",
		load: async () => ({ run: handsOverTo("svc", ["up"]) }),
		saysMore: true,
	},
	{
		name: "status",
		args: "[name]",
		meaning: "say how the watcher and the services are",
		load: async () => ({ run: handsOverTo("svc", ["status"]) }),
		saysMore: true,
	},
	{
		name: "stop",
		args: "",
		meaning: "stop watcher and services until the next up",
		load: async () => ({ run: handsOverTo("svc", ["down"]) }),
		saysMore: true,
	},
	{
		name: "doctor",
		args: "",
		meaning: "check this machine and the configuration",
		load: () => import("./doctor.ts"),
	},
	{
		name: "demo",
		args: "[--once | --stop]",
		meaning: "show the main job on real parts, in a world of its own",
		load: () => import("./demo.ts"),
	},
	{
		name: "test",
		args: "[filter…]",
		meaning: "type check, lint and every test",
		load: () => import("./test.ts"),
	},
	{
		name: "sim",
		args: "[--seed N] [--hours H] | --replay FILE...",
		meaning: "nights on a simulated machine where everything goes wrong",
		load: async () => ({ run: handsOverTo("sim") }),
	},
	{
		name: "help",
		args: "",
		meaning: "this text",
		load: async () => ({ run: help }),
	},
];

/** Runs one call; resolves to the exit code (1 for an unknown verb). */
export async function runNexus(
	argv: readonly string[],
	ctx: VerbContext,
): Promise<number> {
	const [first, ...rest] = argv;
	if (first === "-h" || first === "--help") return help([], ctx);
	if (first === undefined || first.startsWith("-"))
		return handsOverTo("entry")(argv, ctx);
	const verb = VERBS.find((v) => v.name === first);
	if (verb !== undefined) return runVerb(verb, rest, ctx);
	ctx.print(`nexus: no verb '${first}'`);
	await help([], ctx);
	return 1;
}

/** A person who asks what a verb does must not have it done. */
async function runVerb(
	verb: VerbRow,
	args: readonly string[],
	ctx: VerbContext,
): Promise<number> {
	const asksHelp = args.some((arg) => arg === "-h" || arg === "--help");
	if (asksHelp) ctx.print(lineOf(verb));
	if (asksHelp && !verb.saysMore) return 0;
	return (await verb.load()).run(args, ctx);
}

function lineOf({ name, args, meaning }: VerbRow): string {
	return `./nexus ${`${name} ${args}`.trim().padEnd(25)} ${meaning}`;
}

const help: Verb = async (_args, { print }) => {
	print("usage: ./nexus [--continue] [--i-accept-no-sandbox]");
	print("    start the cockpit: the watcher and what belongs to it");
	for (const verb of VERBS) print(lineOf(verb));
	return 0;
};
