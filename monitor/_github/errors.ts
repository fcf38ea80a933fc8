/** What can become of a call to GitHub, and when it may be tried again (contract 02 §2.3). Pure. */
import { factsOf, type Said } from "./error-facts.ts";
import { oneLine } from "./words.ts";

export type GhClass =
	| "timeout"
	| "network"
	| "malformed"
	| "rate_primary"
	| "rate_secondary"
	| "graphql_partial"
	| "graphql_error"
	| "auth"
	| "forbidden"
	| "not_found"
	| "server"
	| "client"
	/** No installation token, so nothing was sent: there is no other identity to fall back to. */
	| "no_token";

export interface GhFailure {
	readonly kind: GhClass;
	/** HTTP status; null without an answer. */
	readonly status: number | null;
	/** In GitHub's words where it said any: one line, no credential in it. */
	readonly message: string;
	/** Seconds, from `retry-after`. */
	readonly retryAfter: number | null;
	/** From `x-ratelimit-remaining`. */
	readonly remaining: number | null;
	/** Epoch seconds, from `x-ratelimit-reset`: the primary window's. */
	readonly resetAt: number | null;
	/** Epoch seconds, from a GraphQL error's `extensions`. */
	readonly reportedReset: number | null;
	/** What a GraphQL answer with errors still brought. */
	readonly partial: unknown;
	/** `rate_*`: no call before this, epoch seconds. Null in every other class. */
	readonly until: number | null;
	/** False: it was held back, by a pause or for want of a token. */
	readonly sent: boolean;
}

export interface ClassifyContext {
	/** Our own deadline or the run's signal struck. */
	readonly timedOut: boolean;
	/** Credentials of the call, which no message may show. */
	readonly secrets?: readonly string[];
}

const MAX_MESSAGE = 500;
const SECONDARY = /secondary rate limit|abuse detection/i;
const PRIMARY = /API rate limit (already )?exceeded/i;
const REFUSAL =
	/not accessible|must have|permission|forbid|denied|suspended|archived|read-only|SAML|IP allow list/i;

/**
 * First match wins. Throws what comes neither from Octokit nor from `fetch`: that is a bug, and must
 * not read as network noise.
 */
export function classify(error: unknown, ctx: ClassifyContext): GhFailure {
	const said = factsOf(error);
	if (said === null && !ctx.timedOut) throw error;
	return failure(said === null ? "timeout" : kindOf(said, ctx.timedOut), {
		...said,
		message: oneLine(said?.message ?? "", MAX_MESSAGE, ctx.secrets),
	});
}

function kindOf(said: Said, timedOut: boolean): GhClass {
	if (timedOut) return "timeout";
	if (said.from === "nowhere") return said.ended ? "timeout" : "network";
	if (said.from === "refused-redirect") return "client";
	if (said.from === "graphql") return graphqlKind(said);
	if (said.status === 401) return "auth";
	if (said.status === 403 || said.status === 429) return limitOrRefusal(said);
	if (said.status === 404 || said.status === 410) return "not_found";
	return said.status !== null && said.status >= 500 ? "server" : "client";
}

/** GitHub's documented type is RATE_LIMITED; RATE_LIMIT was seen as well. */
function graphqlKind({ errors, message, partial }: Said): GhClass {
	const limited = errors.some(
		({ type, code }) =>
			type === "RATE_LIMIT" ||
			type === "RATE_LIMITED" ||
			code === "graphql_rate_limit",
	);
	if (limited || PRIMARY.test(message)) return "rate_primary";
	if (/secondary rate limit/i.test(message)) return "rate_secondary";
	return hasSearch(partial) ? "graphql_partial" : "graphql_error";
}

function limitOrRefusal(said: Said): GhClass {
	const { status, message, words } = said;
	if (SECONDARY.test(message) || said.retryAfter !== null)
		return "rate_secondary";
	if (said.remaining === 0 || PRIMARY.test(message)) return "rate_primary";
	// A page of HTML says "forbidden" whatever the reason: only GitHub's own words refuse the thing itself.
	return status === 403 && REFUSAL.test(words) ? "forbidden" : "rate_secondary";
}

function hasSearch(partial: unknown): boolean {
	if (typeof partial !== "object" || partial === null) return false;
	const search: unknown = Reflect.get(partial, "search");
	return typeof search === "object" && search !== null;
}

/** A failure of this class; what is not given is unknown. */
export function failure(
	kind: GhClass,
	known: Partial<Omit<GhFailure, "kind">> = {},
): GhFailure {
	return {
		kind,
		status: known.status ?? null,
		message: known.message || kind,
		retryAfter: known.retryAfter ?? null,
		remaining: known.remaining ?? null,
		resetAt: known.resetAt ?? null,
		reportedReset: known.reportedReset ?? null,
		partial: known.partial ?? null,
		until: known.until ?? null,
		sent: known.sent ?? true,
	};
}

/** In one line, for people. */
export function failureLine({ status, kind, message }: GhFailure): string {
	return `${status === null ? kind : `HTTP ${status}`}: ${message}`;
}

const WITHOUT_A_WORD_SECONDS = 900;

/**
 * When the limit ends, epoch seconds. `streak`: secondary limits in a row before this one. A
 * secondary limit never goes by `x-ratelimit-reset`, which is the primary window's.
 */
export function resetEpoch(
	f: Pick<
		GhFailure,
		"kind" | "reportedReset" | "retryAfter" | "remaining" | "resetAt"
	>,
	now: number,
	streak: number,
): number {
	if (f.reportedReset !== null) return f.reportedReset;
	if (f.retryAfter !== null) return now + f.retryAfter;
	if (f.kind === "rate_secondary")
		return now + Math.min(60 * 2 ** streak, WITHOUT_A_WORD_SECONDS);
	if (f.remaining === 0 && f.resetAt !== null) return f.resetAt;
	return now + WITHOUT_A_WORD_SECONDS;
}
