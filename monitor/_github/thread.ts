/** Writing in a conversation: the one place that posts a comment or changes an issue's state. */
import { readPage } from "./comment.ts";
import { COMMAND_MS } from "./deadline.ts";
import type { GitHub } from "./github.ts";
import { textAt } from "./json-look.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

/** Where `postComment` sends, as messages name it. */
export function commentsEndpoint(repo: string, number: string): string {
	return `/repos/${repo}/issues/${number}/comments`;
}

/** Answers the comment's page. Never sent twice by itself: a repeat would be a second comment. */
export function postComment(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	number: string,
	body: string,
): Promise<Answer<string>> {
	return gitHub.rest(
		"POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
		{ ...ownerAndName(repo), issue_number: Number(number), body },
		{ deadlineMs: COMMAND_MS, read: readPage },
	);
}

/** Answers the state that GitHub says it has now. */
export function closeIssue(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	number: string,
): Promise<Answer<string>> {
	return gitHub.rest(
		"PATCH /repos/{owner}/{repo}/issues/{issue_number}",
		{ ...ownerAndName(repo), issue_number: Number(number), state: "closed" },
		{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "state") },
	);
}
