/** `ng token` and `ng mint-jwt`: what `mint-token` prints, through it (contract 05 §6.2). */
import { programArgv } from "../_sys/names.ts";
import { readArguments } from "./arguments.ts";
import { NO_IDENTITY } from "./hub.ts";
import type { NgVerb } from "./verb.ts";

/** `flags`: for the minter. */
export function mintVerb(flags: readonly string[]): { readonly run: NgVerb } {
	return {
		run: async (args, ctx) => {
			const cli = readArguments(args, { flags: {} }, ctx);
			if (cli.kind === "ended") return cli.rc;
			const { proc } = ctx.doors;
			const argv = programArgv(proc.execPath, "mintToken", flags, ctx.codeRoot);
			const rc = (await proc.foreground(argv)) ?? 1;
			if (rc !== 0) ctx.err(NO_IDENTITY);
			return rc;
		},
	};
}
