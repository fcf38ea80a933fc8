/** The words behind a verb that is about one request (contract 08 §6.2). */
import { type CliSpec, parseCli } from "../_sys/cli.ts";
import { badId, isRequestId } from "./inbox.ts";
import type { RequestContext } from "./verb.ts";

export type Arguments =
	| {
			readonly kind: "ok";
			readonly id: string;
			/** What stands behind the id. */
			readonly more: readonly string[];
			value(flag: string): string | undefined;
	  }
	| { readonly kind: "ended"; readonly rc: 0 | 1 };

/** The id comes first. `ended`: help was asked for, or what is wrong with the call has been said. */
export function readArguments(
	verb: string,
	args: readonly string[],
	flags: CliSpec["flags"],
	{ err }: Pick<RequestContext, "err">,
	maxPositionals = 1,
): Arguments {
	const cli = parseCli(args, { flags, maxPositionals });
	if (cli.kind === "help") return { kind: "ended", rc: 0 };
	const [id, ...more] = cli.kind === "ok" ? cli.positionals : [];
	if (cli.kind === "ok" && isRequestId(id))
		return { kind: "ok", id, more, value: cli.value };
	err(`${verb}: ${cli.kind === "ok" ? badId(id) : cli.message}`);
	return { kind: "ended", rc: 1 };
}
