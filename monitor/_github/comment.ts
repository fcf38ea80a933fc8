/** A comment by its id. The watcher surfaces comments on a diff, too, whose ids live at another address. */
import type { Target } from "../_state/emit-block-target.ts";
import { COMMAND_MS } from "./deadline.ts";
import type { GhFailure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import { idAt, textAt } from "./json-look.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

export interface CommentText {
	readonly id: string;
	/** Null: GitHub names nobody. */
	readonly author: string | null;
	readonly body: string;
	/** Of the issue or pull request; null: the answer does not say. */
	readonly number: string | null;
	/** As GitHub wrote it: the token of a compare-and-swap. */
	readonly updatedAt: string;
	readonly url: string | null;
}
export interface FoundComment {
	readonly kind: "ok";
	readonly target: Extract<Target, { kind: "comment" | "review_comment" }>;
	readonly comment: CommentText;
}

/** First as a comment of the conversation, then as one on a diff. */
export async function findComment(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	id: string,
): Promise<
	FoundComment | { readonly kind: "failed"; readonly failure: GhFailure }
> {
	const where = { ...ownerAndName(repo), comment_id: Number(id) };
	const call = { deadlineMs: COMMAND_MS, read: readComment };
	const first = await gitHub.rest(
		"GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
		where,
		call,
	);
	if (first.kind === "ok")
		return {
			kind: "ok",
			target: { kind: "comment", id },
			comment: first.value,
		};
	if (first.failure.kind !== "not_found") return first;
	const second = await gitHub.rest(
		"GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
		where,
		call,
	);
	if (second.kind === "failed") return second;
	const target = { kind: "review_comment", id } as const;
	return { kind: "ok", target, comment: second.value };
}

export type Mood = "eyes" | "rocket";

/** GitHub answers a repeat with the reaction that is there already. */
export function postReaction(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	target: Exclude<Target, { kind: "none" }>,
	content: Mood,
): Promise<Answer<string>> {
	const where = { ...ownerAndName(repo), content };
	const call = {
		deadlineMs: COMMAND_MS,
		read: (data: unknown) => idAt(data, "id"),
	};
	switch (target.kind) {
		case "comment":
			return gitHub.rest(
				"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
				{ ...where, comment_id: Number(target.id) },
				call,
			);
		case "review_comment":
			return gitHub.rest(
				"POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
				{ ...where, comment_id: Number(target.id) },
				call,
			);
		case "issue":
			return gitHub.rest(
				"POST /repos/{owner}/{repo}/issues/{issue_number}/reactions",
				{ ...where, issue_number: Number(target.number) },
				call,
			);
	}
}

/** As a comment, where it may be one on a diff: whoever reacts has not looked. */
export async function reactToComment(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	id: string,
	content: Mood,
): Promise<Answer<string>> {
	const as = (kind: "comment" | "review_comment") =>
		postReaction(gitHub, repo, { kind, id }, content);
	const first = await as("comment");
	return first.kind === "failed" && first.failure.kind === "not_found"
		? as("review_comment")
		: first;
}

/** Null unless it is an object with an id. */
export function readComment(data: unknown): CommentText | null {
	const id = idAt(data, "id");
	if (id === null) return null;
	const above = textAt(data, "issue_url") ?? textAt(data, "pull_request_url");
	return {
		id,
		author: textAt(data, "user", "login"),
		body: textAt(data, "body") ?? "",
		number: /\/(\d+)$/.exec(above ?? "")?.[1] ?? null,
		updatedAt: textAt(data, "updated_at") ?? "",
		url: textAt(data, "html_url"),
	};
}

/** For answers of which only the page's address counts. */
export function readPage(data: unknown): string | null {
	return textAt(data, "html_url") || null;
}
