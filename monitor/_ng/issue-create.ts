/** `ng issue create --title t` (contract 05 §5.5). */
import { readPage } from "../_github/comment.ts";
import { COMMAND_MS } from "../_github/deadline.ts";
import { ownerAndName } from "../_github/target-repo.ts";
import { readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { bodyToPost } from "./post-body.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--repo": "value",
				"--title": "text",
				"--body-file": "value",
				"--label": "list",
			},
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const title = cli.value("--title")?.trim() ?? "";
	if (title === "") {
		err("--title is required");
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const body = await bodyToPost(cli.value("--body-file"), hub.settings, ctx);
	if (body === null) return 1;
	const labels = cli.list("--label");
	const made = await hub.gitHub.rest(
		"POST /repos/{owner}/{repo}/issues",
		{
			...ownerAndName(repo),
			title,
			body: body.text,
			// GitHub refuses a list with an empty name in it, and takes an empty list for "no labels".
			...(labels.length > 0 ? { labels: [...labels] } : {}),
		},
		{ deadlineMs: COMMAND_MS, read: readPage },
	);
	if (made.kind === "failed")
		return sayFailure(ctx, made.failure, `POST /repos/${repo}/issues failed`);
	out(made.value);
	return 0;
};
