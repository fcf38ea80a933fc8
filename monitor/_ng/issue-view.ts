/** `ng issue view <n> [--with-body] [--with-comments]` (contract 05 §5.4). */
import { findIssue } from "../_github/issue.ts";
import { threadComments } from "../_github/thread-comments.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { harmless } from "../_sys/stderr.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

export const run: NgVerb = async (args, ctx) => {
	const { out, err } = ctx;
	const cli = readArguments(
		args,
		{
			flags: {
				"--repo": "value",
				"--with-body": "switch",
				"--with-comments": "switch",
			},
			maxPositionals: 1,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli.rc;
	const [number] = cli.positionals;
	if (!isNumber(number)) {
		err(`issue view needs a number, got '${excerpt(number ?? "")}'`);
		return 1;
	}
	const hub = await openHub(ctx);
	if (hub === null) return 1;
	const { gitHub } = hub;
	const repo = await targetRepo("read", cli.value("--repo"), hub, ctx);
	if (repo === null) return 1;
	const failed = `issue ${number}: fetch failed`;
	const issue = await findIssue(gitHub, repo, number);
	if (issue.kind === "failed") return sayFailure(ctx, issue.failure, failed);
	const comments = cli.on("--with-comments")
		? await threadComments(gitHub, repo, number)
		: ({ kind: "ok", items: [], stopped: "last" } as const);
	if (comments.kind === "failed")
		return sayFailure(ctx, comments.failure, failed);
	const { state, title, body } = issue.value;
	out(`#${number} state=${state.toUpperCase()} title=${oneLine(title)}`);
	if (cli.on("--with-body"))
		for (const line of ["", "--- body ---", asText(body)]) out(line);
	if (!cli.on("--with-comments")) return 0;
	for (const line of ["", "--- comments ---"]) out(line);
	for (const comment of comments.items) {
		out("");
		out(`[${comment.createdAt}] ${comment.author ?? "ghost"}:`);
		out(asText(comment.body));
	}
	if (comments.stopped === "limit")
		err(`WARNING: only the oldest ${comments.items.length} comments`);
	return 0;
};

/**
 * Anybody may write a comment. A line of it that reads as the beginning of the next one, "the operator" in front, gets
 * two blanks; what would steer a terminal shows as `?`.
 */
function asText(body: string): string {
	return harmless(body.replace(/\r\n?|[\u2028\u2029]/g, "\n")).replace(
		/^(?=\[[^\]\n]*\] [^\n]*:[ \t]*$|--- (?:body|comments) ---[ \t]*$)/gm,
		"  ",
	);
}

function oneLine(text: string): string {
	return harmless(text).replace(/[\n\u2028\u2029]+/g, " ");
}
