/** May this still be surfaced? Said by the reactions on it (contract 02 §5). Pure. */
import { sameLogin } from "../_state/emit-block-target.ts";

export interface Mark {
	/** Upper case, as in GraphQL: `EYES`, `ROCKET`, … */
	readonly content: string;
	/** Null: GitHub does not say who, as of an App in GraphQL. */
	readonly user: string | null;
}

/** Null marks are unknown ones: not eligible, since doubt does not surface. */
export function isEligible(
	marks: readonly Mark[] | null,
	operator: string,
): boolean {
	return marks !== null && !isDecided(marks, operator);
}

/**
 * A mark that makes it not eligible, whatever else is there: a rocket of anybody, or eyes of anybody but the
 * operator. Of nobody counts as of another: the bot's own eyes come without a user.
 */
export function isDecided(marks: readonly Mark[], operator: string): boolean {
	return marks.some(
		({ content, user }) =>
			content === "ROCKET" ||
			(content === "EYES" && (user === null || !sameLogin(user, operator))),
	);
}

/** REST's list of reactions, or the `nodes` of a GraphQL connection; null when one of them cannot be read. */
export function readMarks(data: unknown): readonly Mark[] | null {
	if (!Array.isArray(data)) return null;
	const marks = data.map(markOf);
	return marks.every((mark) => mark !== null) ? marks : null;
}

function markOf(raw: unknown): Mark | null {
	if (typeof raw !== "object" || raw === null) return null;
	const content: unknown = Reflect.get(raw, "content");
	if (typeof content !== "string") return null;
	const user: unknown = Reflect.get(raw, "user");
	const login: unknown =
		typeof user === "object" && user !== null
			? Reflect.get(user, "login")
			: null;
	return {
		content: content.toUpperCase(),
		user: typeof login === "string" ? login : null,
	};
}
