/**
 * Replacing a comment's text (contract 05 §5.3). GitHub refuses conditional headers on this request, so
 * compare-and-swap is ours. All agents share one identity: a consolidating one once restored a claim
 * ten minutes after its correction.
 */
import { type CommentText, readComment } from "./comment.ts";
import { COMMAND_MS } from "./deadline.ts";
import type { GhFailure } from "./errors.ts";
import type { GitHub } from "./github.ts";
import type { Answer } from "./send.ts";
import { ownerAndName } from "./target-repo.ts";

export type Edited =
	| { readonly kind: "ok"; readonly url: string }
	| { readonly kind: "conflict"; readonly now: string }
	/** GitHub holds another text than was sent. */
	| { readonly kind: "differs" }
	| { readonly kind: "failed"; readonly failure: GhFailure };

export interface CommentEdit {
	readonly repo: string;
	readonly id: string;
	readonly body: string;
	/** `updated_at` of the text that the new one was made from; null: whatever is there now. */
	readonly expected: string | null;
}

/**
 * With `expected` (the `updated_at` the caller saw) a change in between is a `conflict`. `differs`: GitHub stored
 * another text than it was sent.
 */
export async function editComment(
	gitHub: Pick<GitHub, "rest">,
	{ repo, id, body, expected }: CommentEdit,
): Promise<Edited> {
	if (expected !== null) {
		const before = await readCommentById(gitHub, repo, id);
		if (before.kind === "failed") return before;
		const now = before.value.updatedAt;
		if (now !== expected) return { kind: "conflict", now };
	}
	const patched = await gitHub.rest(
		"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
		{ ...ownerAndName(repo), comment_id: Number(id), body },
		{ deadlineMs: COMMAND_MS, read: readComment },
	);
	if (patched.kind === "failed") return patched;
	const { body: stored, url } = patched.value;
	return sameText(stored, body) && url !== null
		? { kind: "ok", url }
		: { kind: "differs" };
}

/** Its text and when it was last changed. */
export function readCommentById(
	gitHub: Pick<GitHub, "rest">,
	repo: string,
	id: string,
): Promise<Answer<CommentText>> {
	return gitHub.rest(
		"GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
		{ ...ownerAndName(repo), comment_id: Number(id) },
		{ deadlineMs: COMMAND_MS, read: readComment },
	);
}

/** GitHub may give line ends back as CR LF. */
export function sameText(a: string, b: string): boolean {
	return a.replaceAll("\r", "") === b.replaceAll("\r", "");
}
