/** `ng process <comment-id> [--repo o/n]`: takes an operator's comment on (contract 05 §4.2). */
import { findComment } from "../_github/comment.ts";
import { processedEntry } from "../_state/processed-comments.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { claim } from "./process/claim.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id] = cli.positionals;
	if (!isNumber(id)) {
		err(`process needs the id of a comment, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const found = await findComment(hub.gitHub, repo, id);
	if (found.kind === "failed")
		return sayFailure(ctx, found.failure, `fetch comment ${id} failed`);
	const { author, number, body } = found.comment;
	if (author === null || number === null) {
		err(`comment ${id}: malformed metadata`);
		return 1;
	}
	return claim(
		{
			repo,
			author,
			number,
			body,
			noun: "comment",
			target: found.target,
			entry: processedEntry.comment(id),
		},
		hub,
		ctx,
	);
};
