/** The verbs of `./nexus`: data, each loaded only when it runs. */
import { handsOverTo } from "./programs.ts";
import type { Verb, VerbContext } from "./verb.ts";

interface VerbRow {
	readonly name: string;
	readonly args: string;
	readonly meaning: string;
	readonly load: () => Promise<{ readonly run: Verb }>;
}

export const VERBS: readonly VerbRow[] = [
	{
		name: "up",
		args: "[--dry-run]",
		meaning: "bring up watcher, orchestrator, services and workers",
		load: async () => ({ run: handsOverTo("svc", ["up"]) }),
	},
	{
		name: "status",
		args: "[name]",
		meaning: "say how the watcher and the services are",
		load: async () => ({ run: handsOverTo("svc", ["status"]) }),
	},
	{
		name: "stop",
		args: "",
		meaning: "stop watcher and services until the next up",
		load: async () => ({ run: handsOverTo("svc", ["down"]) }),
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
	if (verb !== undefined) return (await verb.load()).run(rest, ctx);
	ctx.print(`nexus: no verb '${first}'`);
	await help([], ctx);
	return 1;
}

const help: Verb = async (_args, { print }) => {
	print("./nexus [--continue] [--i-accept-no-sandbox]");
	print("    start the cockpit: the watcher and what belongs to it");
	for (const { name, args, meaning } of VERBS)
		print(`./nexus ${`${name} ${args}`.trim().padEnd(24)} ${meaning}`);
	return 0;
};
