/** `ng preflight <owner/name>`: can the bot work there (contract 05 §6.1)? */

import { isRepoName } from "../_github/target-repo.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { readArguments } from "./arguments.ts";
import { openHub } from "./hub.ts";
import { checkInstalled } from "./preflight/check.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const cli = readArguments(args, { flags: {}, maxPositionals: 1 }, ctx);
	if (cli.kind === "ended") return cli.rc;
	const [repo = ""] = cli.positionals;
	if (!isRepoName(repo)) {
		ctx.err(`preflight wants owner/name, got '${excerpt(repo)}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const verdict = await checkInstalled(repo, hub, ctx);
	if (verdict.kind === "unknown") return 1;
	for (const line of verdict.lines) ctx.out(line);
	return verdict.kind === "installed" ? 0 : 1;
};
