/** A program without flags: what is asked for by mistake must not set it going. */
import { bearBrokenPipe } from "./broken-pipe.ts";
import { parseCli } from "./cli.ts";
import { complain } from "./stderr.ts";

/** Null = go on; else the exit code, with usage or refusal said. */
export function refuseArguments(
	argv: readonly string[],
	usage: string,
): 0 | 1 | null {
	bearBrokenPipe();
	const cli = parseCli(argv, { flags: {} });
	if (cli.kind === "ok") return null;
	if (cli.kind === "help") {
		process.stdout.write(`${usage}\n`);
		return 0;
	}
	complain(`${cli.message}\n${usage}`);
	return 1;
}
