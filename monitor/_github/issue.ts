/** An issue, or a pull request as one. */
import { COMMAND_MS } from "./deadline.ts";
import type { GitHub } from "./github.ts";
import { idAt, textAt } from "./json-look.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

export interface IssueText {
	readonly number: string;
	readonly state: string;
	readonly title: string;
	readonly body: string;
	readonly author: string | null;
	readonly url: string | null;
}

/** `number`: digits. */
export function findIssue(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	number: string,
): Promise<Answer<IssueText>> {
	return gitHub.rest(
		"GET /repos/{owner}/{repo}/issues/{issue_number}",
		{ ...ownerAndName(repo), issue_number: Number(number) },
		{ deadlineMs: COMMAND_MS, read: readIssue },
	);
}

/** Null unless it has a number and a state. */
function readIssue(data: unknown): IssueText | null {
	const number = idAt(data, "number");
	const state = textAt(data, "state");
	if (number === null || state === null) return null;
	return {
		number,
		state,
		title: textAt(data, "title") ?? "",
		body: textAt(data, "body") ?? "",
		author: textAt(data, "user", "login"),
		url: textAt(data, "html_url"),
	};
}
