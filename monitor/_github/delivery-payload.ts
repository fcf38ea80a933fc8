/** From the payload of a delivery to the block of it (contract 02 §6). Pure. */
import { sameRepo } from "../_state/emit-block-target.ts";
import type { CommentBlock } from "../_state/emit-blocks.ts";
import { eventEligible } from "./delivery-listing.ts";
import { blockOf, type Found } from "./found.ts";
import { at, idAt, textAt } from "./json-look.ts";

export interface DeliveryRules {
	/** `github.repo`. */
	readonly repo: string;
	readonly botLogin: string;
	/** Events of that repository are told. */
	readonly home: boolean;
	/** Events of other repositories are told. */
	readonly elsewhere: boolean;
}

/** Null: nothing to tell, and the delivery is done with. Whoever wrote it: that is judged later, for every source at once. */
export function deliveryToBlock(
	event: string,
	payload: unknown,
	rules: DeliveryRules,
): CommentBlock | null {
	const found = eventEligible(event, textAt(payload, "action"))
		? foundIn(event, payload)
		: null;
	const repo = textAt(payload, "repository", "full_name");
	if (found === null || !repo) return null;
	if (sameRepo(repo, rules.repo))
		return rules.home ? blockOf(found, { kind: "home" }, rules.botLogin) : null;
	return rules.elsewhere
		? blockOf(found, { kind: "mention", repo }, rules.botLogin)
		: null;
}

function foundIn(event: string, p: unknown): Found | null {
	switch (event) {
		case "issue_comment": {
			const onPull = (at(p, "issue", "pull_request") ?? null) !== null;
			return read(p, onPull ? "pr" : "issue", "issue", "comment");
		}
		case "pull_request_review_comment":
			return read(p, "pr_review", "pull_request", "comment");
		case "pull_request_review":
			return read(p, "pr_review", "pull_request", "review");
		case "issues":
			return read(p, "issue_new", "issue", "issue");
		case "pull_request":
			return read(p, "pr", "pull_request", "pull_request");
		default:
			return null;
	}
}

/** `on` holds the number, `text` was written: both are parts of the payload, and the same one for an opening. */
function read(
	p: unknown,
	what: Found["what"],
	on: "issue" | "pull_request",
	text: "comment" | "review" | "issue" | "pull_request",
): Found | null {
	const number = idAt(p, on, "number");
	const id = what === "issue_new" ? number : idAt(p, text, "id");
	if (number === null || id === null) return null;
	return {
		what,
		number,
		id,
		author: textAt(p, text, "user", "login"),
		text: textAt(p, text, "body"),
		path: textAt(p, text, "path"),
		isOpening: text === on,
	};
}
