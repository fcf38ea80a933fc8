/** `ng process-issue <n> [--repo o/n]`: takes an operator's issue on (contract 05 §4.3). */
import { findIssue } from "../_github/issue.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { claim, issueEntry } from "./process/claim.ts";
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
	const [number] = cli.positionals;
	if (!isNumber(number)) {
		err(`process-issue needs an issue number, got '${excerpt(number ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const repo = await targetRepo("write", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const found = await findIssue(hub.gitHub, repo, number);
	if (found.kind === "failed")
		return sayFailure(ctx, found.failure, `fetch issue ${number} failed`);
	const { author, body } = found.value;
	if (author === null) {
		err(`issue ${number}: malformed metadata`);
		return 1;
	}
	return claim(
		{
			repo,
			author,
			number,
			body,
			noun: "issue",
			target: { kind: "issue", number },
			entry: issueEntry(repo, number, hub.home),
		},
		hub,
		ctx,
	);
};
