/** `ng pr create --head b --title t` (contract 05 §5.6). */

import { failureLine } from "../../_github/errors.ts";
import { openPull, requestReview } from "../../_github/pull.ts";
import { sameRepo } from "../../_state/emit-block-target.ts";
import { readArguments } from "../arguments.ts";
import { openHub, sayFailure } from "../hub.ts";
import { bodyToPost } from "../post-body.ts";
import { checkInstalled } from "../preflight/check.ts";
import { targetRepo } from "../target.ts";
import type { NgVerb } from "../verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--head": "value",
				"--title": "value",
				"--base": "value",
				"--body-file": "value",
				"--repo": "value",
				"--reviewer": "value",
				"--no-reviewer": "switch",
			},
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const head = cli.value("--head");
	const title = cli.value("--title");
	if (head === undefined || title === undefined) {
		err("pr create needs --head and --title");
		return 1;
	}
	if (cli.on("--reviewer") && cli.on("--no-reviewer")) {
		err("--reviewer and --no-reviewer are mutually exclusive");
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const { gitHub, home, operator } = hub;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const body = await bodyToPost(cli.value("--body-file"), hub.settings, ctx);
	if (body === null) return 1;
	if (home === null || !sameRepo(repo, home)) {
		const there = await checkInstalled(repo, hub, ctx);
		if (there.kind === "absent") for (const line of there.lines) err(line);
		if (there.kind !== "installed") return 1;
	}
	const base = cli.value("--base") ?? "main";
	const made = await openPull(gitHub, repo, {
		head,
		base,
		title,
		body: body.text,
	});
	if (made.kind === "failed")
		return sayFailure(ctx, made.failure, `POST /repos/${repo}/pulls failed`);
	const { number, url } = made.value;
	// Without being asked for a review the operator is not notified at all.
	const reviewer = cli.on("--no-reviewer")
		? ""
		: (cli.value("--reviewer") ?? operator);
	if (reviewer !== "") {
		const asked = await requestReview(gitHub, repo, number, reviewer);
		if (asked.kind === "failed")
			err(
				`WARNING: ${reviewer} could not be asked for a review: ${failureLine(asked.failure)}`,
			);
	}
	out(url);
	return 0;
};
