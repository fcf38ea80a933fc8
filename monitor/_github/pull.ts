/** Pull requests: opening, changing, merging, reading. */
import { readPage } from "./comment.ts";
import { COMMAND_MS } from "./deadline.ts";
import type { GitHub } from "./github.ts";
import { at, idAt, textAt } from "./json-look.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

type Api = Pick<GitHub, "rest">;

export interface PullText {
	/** GitHub's whole answer. */
	readonly raw: object;
	readonly number: string;
	readonly state: string;
	readonly title: string;
	readonly author: string;
	readonly headRef: string;
	/** `owner/name` of the fork or of the repository itself; null: it is gone. */
	readonly headRepo: string | null;
	readonly headSha: string;
	readonly baseRef: string;
}

/** One pull request by its number. */
export function findPull(
	gitHub: Api,
	repo: string,
	number: string,
): Promise<Answer<PullText>> {
	return gitHub.rest(
		"GET /repos/{owner}/{repo}/pulls/{pull_number}",
		numbered(repo, number),
		{
			deadlineMs: COMMAND_MS,
			read: readPull,
		},
	);
}

/** Its page and number. */
export function openPull(
	gitHub: Api,
	repo: string,
	pull: {
		readonly head: string;
		readonly base: string;
		readonly title: string;
		readonly body: string;
	},
): Promise<Answer<{ readonly url: string; readonly number: string }>> {
	return gitHub.rest(
		"POST /repos/{owner}/{repo}/pulls",
		{ ...ownerAndName(repo), ...pull },
		{
			deadlineMs: COMMAND_MS,
			read: (data) => {
				const url = textAt(data, "html_url");
				const number = idAt(data, "number");
				return url === null || number === null ? null : { url, number };
			},
		},
	);
}

/** The page. GitHub refuses the author himself. */
export function requestReview(
	gitHub: Api,
	repo: string,
	number: string,
	reviewer: string,
): Promise<Answer<string>> {
	return gitHub.rest(
		"POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
		{ ...numbered(repo, number), reviewers: [reviewer] },
		{ deadlineMs: COMMAND_MS, read: readPage },
	);
}

/** The page; what is left out stays. */
export function editPull(
	gitHub: Api,
	repo: string,
	number: string,
	change: { readonly title?: string; readonly body?: string },
): Promise<Answer<string>> {
	return gitHub.rest(
		"PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
		{ ...numbered(repo, number), ...change },
		{ deadlineMs: COMMAND_MS, read: readPage },
	);
}

export type MergeMethod = "squash" | "merge" | "rebase";

/** `sha`: the head that was looked at; another one is refused with 409. Answers the merge commit. */
export function mergePull(
	gitHub: Api,
	repo: string,
	number: string,
	{ method, sha }: { readonly method: MergeMethod; readonly sha: string },
): Promise<Answer<string>> {
	return gitHub.rest(
		"PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge",
		{ ...numbered(repo, number), merge_method: method, sha },
		{ deadlineMs: COMMAND_MS, read: (data) => textAt(data, "sha") },
	);
}

/** By its name without `refs/heads/`. */
export function deleteBranch(
	gitHub: Api,
	repo: string,
	branch: string,
): Promise<Answer<true>> {
	return gitHub.rest(
		"DELETE /repos/{owner}/{repo}/git/refs/{ref}",
		{ ...ownerAndName(repo), ref: `heads/${branch}` },
		{ deadlineMs: COMMAND_MS, read: () => true as const },
	);
}

function numbered(repo: string, number: string) {
	return { ...ownerAndName(repo), pull_number: Number(number) };
}

function readPull(data: unknown): PullText | null {
	const raw = at({ data }, "data");
	const number = idAt(data, "number");
	const state = textAt(data, "state");
	const headSha = textAt(data, "head", "sha");
	if (typeof raw !== "object" || raw === null) return null;
	if (number === null || state === null || headSha === null) return null;
	return {
		raw,
		number,
		state,
		headSha,
		title: textAt(data, "title") ?? "",
		author: textAt(data, "user", "login") ?? "ghost",
		headRef: textAt(data, "head", "ref") ?? "",
		headRepo: textAt(data, "head", "repo", "full_name"),
		baseRef: textAt(data, "base", "ref") ?? "",
	};
}
