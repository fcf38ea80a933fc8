/** All comments of a conversation, the oldest first. */
import { type CommentText, readComment } from "./comment.ts";
import { COMMAND_MS } from "./deadline.ts";
import type { GitHub } from "./github.ts";
import { listAt, textAt } from "./json-look.ts";
import { type Pages, readPages } from "./pages.ts";
import { ownerAndName } from "./target-repo.ts";

export interface ThreadComment extends CommentText {
	/** As GitHub wrote it. */
	readonly createdAt: string;
}

const MOST_PAGES = 100;

/** `since`: only what was written or changed then or later, epoch seconds. */
export function threadComments(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	number: string,
	since?: number,
): Promise<Pages<ThreadComment>> {
	const from =
		since === undefined ? {} : { since: new Date(since * 1000).toISOString() };
	return readPages(
		(page) =>
			gitHub.rest(
				"GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
				{
					...ownerAndName(repo),
					issue_number: Number(number),
					per_page: 100,
					page,
					...from,
				},
				{ deadlineMs: COMMAND_MS, read: readAll },
			),
		{ maxPages: MOST_PAGES },
	);
}

function readAll(data: unknown): readonly ThreadComment[] | null {
	const read = listAt({ data }, "data")?.map((row): ThreadComment | null => {
		const comment = readComment(row);
		const createdAt = textAt(row, "created_at") ?? "";
		return comment === null ? null : { ...comment, createdAt };
	});
	return read?.every((one) => one !== null) ? read : null;
}
