/** Was this written by the bot? (contract 02 §14.) Pure. */
import { sameBot, sameLogin } from "../_state/emit-block-target.ts";
import type { GitHubPlace } from "./api-url.ts";

export interface AuthorRules {
	/** `github.bot_login`; empty: unknown. */
	readonly botLogin: string;
	/** `github.user_login`. */
	readonly operator: string;
	/** `github.bot_login_absent_ok`: without a `bot_login` any bot passes. */
	readonly anyBotWhenUnknown: boolean;
}

/** `exit` is the program's: 0 the bot's, 1 somebody else's, 2 cannot tell. Never 0 in doubt. */
export interface AuthorVerdict {
	readonly exit: 0 | 1 | 2;
	readonly lines: readonly string[];
}

/** `author`: as the API names it; empty: the answer names none. `remint`: the program that mints a token. */
export function authorVerdict(
	author: string,
	rules: AuthorRules,
	remint: string,
): AuthorVerdict {
	const { botLogin, operator, anyBotWhenUnknown } = rules;
	const isBot = author.endsWith("[bot]");
	if (author === "")
		return cannotTell("the answer names no author; UNVERIFIED");
	if (
		sameBot(author, botLogin) ||
		(botLogin === "" && isBot && anyBotWhenUnknown)
	)
		return { exit: 0, lines: [`${WHO}: OK — authored by ${author}`] };
	if (botLogin === "" && isBot)
		return cannotTell(
			`authored by ${author}, but github.bot_login is not set; UNVERIFIED`,
		);
	return {
		exit: 1,
		lines: [
			`${WHO}: authored by ${author}, not by the bot`,
			...(sameLogin(author, operator)
				? [
						`${WHO}: ${author} is the operator: GitHub mutes self-authored notifications, so they will NEVER be notified`,
					]
				: []),
			`${WHO}: re-post it with a token of ${remint}`,
		],
	};
}

/** Exit code 2, so that a caller never takes it for a "no". */
export function cannotTell(why: string): AuthorVerdict {
	return { exit: 2, lines: [`${WHO}: cannot tell: ${why}`] };
}

/** `user.login`, else `author.login`, else empty; null for an answer that is no object. */
export function readAuthor(data: unknown): string | null {
	if (typeof data !== "object" || data === null || Array.isArray(data))
		return null;
	return loginIn(data, "user") || loginIn(data, "author");
}

/**
 * The API path, without a leading slash, of what `given` names: an API URL or path as it is, else a page of
 * the configured site. Null: it names nothing that can be asked for.
 */
export function apiPathOf(given: string, place: GitHubPlace): string | null {
	const { apiBase, webOrigin } = place;
	const path = given.startsWith(`${apiBase}/`)
		? given.slice(apiBase.length)
		: given;
	const direct = /^\/?(repos\/[^?#]+)$/.exec(path)?.[1];
	if (direct !== undefined) return isPlain(direct) ? direct : null;
	if (!given.startsWith(`${webOrigin}/`)) return null;
	const page = PAGE.exec(given.slice(webOrigin.length));
	if (page === null) return null;
	const [, repo = "", kind = "", number = "", rest = ""] = page;
	if (!isPlain(repo)) return null;
	const id = (pattern: RegExp) => pattern.exec(rest)?.[1];
	const comment = id(/#issuecomment-(\d+)$/);
	if (comment !== undefined) return `repos/${repo}/issues/comments/${comment}`;
	// The author of a pull request says nothing about who wrote a review below it.
	const inline = id(/#discussion_r(\d+)$/);
	if (inline !== undefined) return `repos/${repo}/pulls/comments/${inline}`;
	const review = id(/#pullrequestreview-(\d+)$/);
	if (review !== undefined && kind === "pull")
		return `repos/${repo}/pulls/${number}/reviews/${review}`;
	return `repos/${repo}/issues/${number}`;
}

const WHO = "assert-bot-author";
const PAGE = /^\/([^/?#]+\/[^/?#]+)\/(issues|pull)\/(\d+)((?:[/?#].*)?)$/;

/** Nothing that a route template or a path could read as more than a name. */
function isPlain(path: string): boolean {
	return (
		/^[A-Za-z0-9._/-]+$/.test(path) &&
		path.split("/").every((part) => !/^\.{0,2}$/.test(part))
	);
}

function loginIn(data: object, key: string): string {
	const person: unknown = Reflect.get(data, key);
	if (typeof person !== "object" || person === null) return "";
	const login: unknown = Reflect.get(person, "login");
	return typeof login === "string" ? login : "";
}
