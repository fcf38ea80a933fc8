/** Why a turn failed, and who gets the worker going again (contract 08 §2.8). Pure; the rows are tried in order. */

export type Category =
	| "transient"
	| "rate_limit"
	| "conversation"
	| "config"
	| "auth"
	| "unknown";
/** `paste`: a nudge in place; `respawn`: a resend would fail again; `operator`: a person; `none`: the limit's reset. */
export type Recovery = "paste" | "respawn" | "operator" | "none";
export interface Cause {
	readonly category: Category;
	readonly recovery: Recovery;
}

/** `token` is the error's type, `message` its text; the token outranks the text, a throttle outranks both. */
export function classifyCause(token: string, message: string): Cause {
	const text = message.toLowerCase();
	if (isThrottle(text)) return TRANSIENT;
	const type = token.toLowerCase();
	if (LIMIT_TOKENS.has(type)) {
		// The API's own 429 carries the token of a usage limit; only a limit names its reset.
		const isRejection =
			text.startsWith("api error") && !/\bresets?\b/.test(text);
		return isRejection ? TRANSIENT : LIMIT;
	}
	return TOKENS.get(type) ?? causeInWords(text);
}

const TRANSIENT: Cause = { category: "transient", recovery: "paste" };
const LIMIT: Cause = { category: "rate_limit", recovery: "none" };
const CONVERSATION: Cause = { category: "conversation", recovery: "respawn" };
const CONFIG: Cause = { category: "config", recovery: "respawn" };
const AUTH: Cause = { category: "auth", recovery: "operator" };
const UNKNOWN: Cause = { category: "unknown", recovery: "paste" };

const LIMIT_TOKENS = new Set(["rate_limit", "rate_limit_error"]);
const TOKENS = new Map<string, Cause>(
	(
		[
			[
				TRANSIENT,
				"server_error overloaded_error overloaded api_error timeout connection_error max_output_tokens",
			],
			[CONFIG, "model_not_found not_found_error"],
			[
				AUTH,
				"authentication_error permission_error auth_error forbidden authentication_failed billing_error oauth_org_not_allowed account_on_hold verification_required cloud_credential_error",
			],
		] as const
	).flatMap(([cause, tokens]) =>
		tokens.split(" ").map((token) => [token, cause] as const),
	),
);
const WORDS: readonly (readonly [Cause, readonly string[]])[] = [
	[TRANSIENT, ["api error: 5"]],
	[LIMIT, ["rate limit", "usage limit", "hit your limit"]],
	[TRANSIENT, ["overloaded", "server-side issue", "internal server error"]],
	[
		CONVERSATION,
		["thinking", "redacted_thinking", "api error: 400", "api error: 422"],
	],
	[CONFIG, ["may not exist", "access to it", "selected model"]],
	[AUTH, ["authentic", "credential", "unauthorized", "forbidden"]],
];

/** "Server is temporarily limiting requests (not your usage limit)": seconds to minutes, whatever the token says (contract 00 C4). */
function isThrottle(text: string): boolean {
	return (
		text.includes("temporarily limiting") ||
		text.includes("not your usage limit")
	);
}

function causeInWords(text: string): Cause {
	const row = WORDS.find(([, words]) => words.some((w) => text.includes(w)));
	return row?.[0] ?? UNKNOWN;
}
