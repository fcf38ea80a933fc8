/** Whose comment, which repository, and what a reaction to it would be put on (contract 02 §4). Pure. */
import type { CommentBlock } from "./emit-blocks.ts";

/** What to ask GitHub for the reactions of; `none`: it has no reactions that could be asked for, so nothing is asked. */
export type Target =
	| { readonly kind: "comment"; readonly id: string }
	| { readonly kind: "review_comment"; readonly id: string }
	| { readonly kind: "issue"; readonly number: string }
	| { readonly kind: "none" };

/** The shape decides, never the number: what an id is the id of is not inferred. */
export function reactionTarget(block: CommentBlock): Target {
	const { what, id, number, path, fromBody } = block;
	if (what === "pr_review")
		return id !== "" && path !== "" && path !== TOP_LEVEL
			? { kind: "review_comment", id }
			: { kind: "none" };
	if (fromBody || what === "issue_new")
		return number === "" ? { kind: "none" } : { kind: "issue", number };
	return id === "" ? { kind: "none" } : { kind: "comment", id };
}

/** `path=?`: a review as a whole, which has no endpoint for reactions. */
const TOP_LEVEL = "?";

/** As GitHub compares logins. Nobody is the same as nobody. */
export function sameLogin(a: string, b: string): boolean {
	return a !== "" && asciiLower(a) === asciiLower(b);
}

/** As `sameLogin`; a trailing `[bot]` does not count on either side. */
export function sameBot(a: string, b: string): boolean {
	return sameLogin(withoutBot(a), withoutBot(b));
}

/** `owner/name` as GitHub compares them: case does not count. */
export function sameRepo(a: string, b: string): boolean {
	return sameLogin(a, b);
}

/** The slug of an App. */
export function withoutBot(login: string): string {
	return login.replace(/\[bot\]$/i, "");
}

/** Not `toLowerCase`, by which a Kelvin sign would be a `k`. */
function asciiLower(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
