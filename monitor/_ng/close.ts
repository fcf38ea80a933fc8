/** `ng close <n> [--comment t]`, also `issue close` (contract 05 §5.2). */
import { closeIssue, postComment } from "../_github/thread.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value", "--comment": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number] = cli.positionals;
	if (!isNumber(number)) {
		err(`close needs an issue number, got '${excerpt(number ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const { gitHub } = hub;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const comment = cli.value("--comment");
	if (comment !== undefined) {
		const posted = await postComment(gitHub, repo, number, comment);
		if (posted.kind === "failed")
			return sayFailure(ctx, posted.failure, "pre-close comment failed");
	}
	const closed = await closeIssue(gitHub, repo, number);
	if (closed.kind === "failed")
		return sayFailure(
			ctx,
			closed.failure,
			"close PATCH failed (state=unknown)",
		);
	if (closed.value !== "closed") {
		err(`close PATCH failed (state=${closed.value})`);
		return 1;
	}
	out("CLOSED");
	return 0;
};
