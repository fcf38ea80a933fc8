/** `ng show <comment-id> [--meta]`: the whole text of a comment, whoever wrote it (contract 05 §4.4). The boundary is in processing, not in reading. */
import { findComment } from "../_github/comment.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { harmless } from "../_sys/stderr.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { heredoc } from "./heredoc.ts";
import { openHub, sayFailure } from "./hub.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{ flags: { "--repo": "value", "--meta": "switch" }, maxPositionals: 1 },
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [id] = cli.positionals;
	if (!isNumber(id)) {
		err(`show needs the id of a comment, got '${excerpt(id ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("read", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const found = await findComment(hub.gitHub, repo, id);
	const failed = `comment ${id}: fetch failed (or empty body)`;
	if (found.kind === "failed") return sayFailure(ctx, found.failure, failed);
	const { updatedAt } = found.comment;
	// Whoever wrote it: it must not steer the terminal that it is shown on.
	const body = harmless(found.comment.body);
	if (body === "") {
		err(failed);
		return 1;
	}
	if (!cli.on("--meta")) {
		out(body);
		return 0;
	}
	out(`id=${id}`);
	out(`updated_at=${updatedAt}`);
	for (const line of heredoc("body", body)) out(line);
	return 0;
};
