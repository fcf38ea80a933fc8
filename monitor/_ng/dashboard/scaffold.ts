/** `ng dashboard scaffold`: the six sections, each with a hint (contract 05 §10.4). */
import { readArguments } from "../arguments.ts";
import type { NgVerb } from "../verb.ts";
import { scaffold } from "./sections.ts";

export const run: NgVerb = async (args, ctx) => {
	const cli = readArguments(args, { flags: {} }, ctx);
	if (cli.kind === "ended") return cli.rc;
	ctx.out(scaffold().replace(/\n$/, ""));
	return 0;
};
