/** `ng issue view <n> [--with-body] [--with-comments]` (contract 05 §5.4). */
import { readComment } from "../_github/comment.ts";
import { COMMAND_MS } from "../_github/deadline.ts";
import type { GitHub } from "../_github/github.ts";
import { findIssue } from "../_github/issue.ts";
import { listAt, textAt } from "../_github/json-look.ts";
import { readPages } from "../_github/pages.ts";
import { ownerAndName } from "../_github/target-repo.ts";
import { excerpt } from "../_sys/excerpt.ts";
import { isNumber, readArguments } from "./arguments.ts";
import { openHub, sayFailure } from "./hub.ts";
import { targetRepo } from "./target.ts";
import type { NgVerb } from "./verb.ts";

const MOST_PAGES = 100;

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
		? await commentsOf(gitHub, repo, number)
		: { kind: "ok" as const, items: [] };
	if (comments.kind === "failed")
		return sayFailure(ctx, comments.failure, failed);
	const { state, title, body } = issue.value;
	out(`#${number} state=${state.toUpperCase()} title=${title}`);
	if (cli.on("--with-body"))
		for (const line of ["", "--- body ---", body]) out(line);
	if (!cli.on("--with-comments")) return 0;
	for (const line of ["", "--- comments ---"]) out(line);
	for (const comment of comments.items) {
		out("");
		out(`[${comment.createdAt}] ${comment.author}:`);
		out(comment.body);
	}
	return 0;
};

interface Said {
	readonly createdAt: string;
	readonly author: string;
	readonly body: string;
}

/** GitHub lists them by their ids: the oldest first. */
function commentsOf(gitHub: GitHub, repo: string, number: string) {
	return readPages(
		(page) =>
			gitHub.rest(
				"GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
				{
					...ownerAndName(repo),
					...{ issue_number: Number(number), per_page: 100, page },
				},
				{ deadlineMs: COMMAND_MS, read: readAll },
			),
		{ maxPages: MOST_PAGES },
	);
}

function readAll(data: unknown): readonly Said[] | null {
	const rows = listAt({ data }, "data");
	if (rows === null) return null;
	const said = rows.map((row): Said | null => {
		const comment = readComment(row);
		return comment === null
			? null
			: {
					createdAt: textAt(row, "created_at") ?? "",
					author: comment.author ?? "ghost",
					body: comment.body,
				};
	});
	return said.every((one) => one !== null) ? said : null;
}
