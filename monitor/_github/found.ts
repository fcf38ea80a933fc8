/** From what a source found to the block of it (contract 02 §4): the same for every source, so that one comment is the same thing wherever it was met. Pure. */
import { asksToSkip, mentions } from "../_state/emit-block-words.ts";
import { type CommentBlock, preview } from "../_state/emit-blocks.ts";

/** A comment, or the opening of an issue or pull request, with its whole text. */
export interface Found {
	readonly what: "issue" | "pr" | "pr_review" | "issue_new";
	/** Of the issue or pull request. */
	readonly number: string;
	readonly id: string;
	/** Null: GitHub names nobody. */
	readonly author: string | null;
	readonly text: string | null;
	/** Of a review comment; a review as a whole has none. */
	readonly path?: string | null;
	/** The text is that of the issue or pull request itself. */
	readonly isOpening?: boolean;
}

/** In the configured repository, or elsewhere: where the bot can answer (`mention`), or only read (`cross_repo`). */
export type Where =
	| { readonly kind: "home" }
	| { readonly kind: "mention" | "cross_repo"; readonly repo: string };

/** What GitHub calls an author who is gone. */
const NOBODY = "ghost";

/**
 * The body is a preview; whether the bot is addressed, or the comment asks to be skipped, is decided by the whole
 * text.
 */
export function blockOf(
	found: Found,
	where: Where,
	botLogin: string,
): CommentBlock {
	const { what, number, id } = found;
	const text = found.text ?? "";
	const body = preview(text);
	const isHome = where.kind === "home";
	return {
		kind: "comment",
		shape: isHome ? what : where.kind,
		repo: isHome ? "" : where.repo,
		what,
		number,
		id,
		author: found.author || NOBODY,
		path: what === "pr_review" ? found.path || "?" : "",
		fromBody: !isHome && (found.isOpening ?? false),
		// The preview may end before the words that decide.
		addressed: mentions(text, botLogin) && !mentions(body, botLogin),
		skip: asksToSkip(text) && !asksToSkip(body),
		body,
	};
}

/** The login of an App, as REST writes it: GraphQL leaves `[bot]` off, and an App may carry its owner's own name. */
export function authorLogin(
	login: string | null,
	typeName: string | null,
): string | null {
	if (login === null || typeName !== "Bot") return login;
	return login.endsWith("[bot]") ? login : `${login}[bot]`;
}
