/** A verb's own words, read by its spec; what cannot be read has been said (contract 05 §2.2). */
import { type Cli, type CliSpec, parseCli } from "../_sys/cli.ts";
import type { NgContext } from "./verb.ts";

export type Arguments =
	| Extract<Cli, { kind: "ok" }>
	/** Nothing is left to do but to exit. */
	| { readonly kind: "ended"; readonly rc: number };

/** `ended` carries the exit code that the verb returns as it is. */
export function readArguments(
	args: readonly string[],
	spec: CliSpec,
	{ err }: Pick<NgContext, "err">,
): Arguments {
	const cli = parseCli(args, spec);
	if (cli.kind === "ok") return cli;
	if (cli.kind === "help") return { kind: "ended", rc: 0 };
	err(cli.message);
	return { kind: "ended", rc: cli.rc };
}

/** A number of GitHub's: of an issue, or an id. Small enough to be a number here, too. */
export function isNumber(word: string | undefined): word is string {
	return word !== undefined && /^[1-9]\d{0,14}$/.test(word);
}
