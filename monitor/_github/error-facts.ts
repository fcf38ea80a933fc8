/** What an error of Octokit or of `fetch` says, read by its shape: nothing here knows Octokit's classes. Pure. */

export interface Said {
	/** `nowhere`: no answer came. */
	readonly from: "http" | "graphql" | "nowhere" | "refused-redirect";
	readonly status: number | null;
	/** Everything that was said: of an HTML page its source, of a GraphQL answer all its errors. */
	readonly message: string;
	/** The `message` field of a JSON answer alone. */
	readonly words: string;
	readonly errors: readonly { readonly type: string; readonly code: string }[];
	readonly partial: unknown;
	readonly retryAfter: number | null;
	readonly remaining: number | null;
	readonly resetAt: number | null;
	readonly reportedReset: number | null;
	/** The call was ended from our side. */
	readonly ended: boolean;
}

/** Name of the error that the transport throws instead of following a redirect elsewhere. */
export const REFUSED_REDIRECT = "RefusedRedirectError";

/** Null: no such error. */
export function factsOf(error: unknown): Said | null {
	if (!(error instanceof Error)) return null;
	if (error.name === "GraphqlResponseError") return ofGraphql(error);
	if (error.name === "HttpError") return ofHttp(error);
	return isEnding(error) ? nothing("nowhere", error.message, true) : null;
}

/** Octokit gives a call without an answer the status 500; the real reason is its cause. */
function ofHttp(error: Error): Said {
	const response = field(error, "response");
	if (response === undefined) {
		const { cause } = error;
		const name = cause instanceof Error ? cause.name : "";
		if (name === REFUSED_REDIRECT)
			return nothing("refused-redirect", error.message, false);
		const ended = cause instanceof Error && isEnding(cause);
		return nothing("nowhere", error.message, ended);
	}
	const words = field(field(response, "data"), "message");
	return {
		...nothing("http", error.message, false),
		status: numberOf(field(error, "status")),
		words: typeof words === "string" ? words : "",
		...limitsIn(field(response, "headers")),
	};
}

/** Answered with HTTP 200, and `errors` in it. */
function ofGraphql(error: Error): Said {
	const given = field(error, "errors");
	const list: readonly unknown[] = Array.isArray(given) ? given : [];
	const texts = list.map((e) => text(field(e, "message")));
	return {
		...nothing("graphql", texts.join("; "), false),
		status: 200,
		errors: list.map((e) => ({
			type: text(field(e, "type")),
			code:
				text(field(e, "code")) || text(field(field(e, "extensions"), "code")),
		})),
		partial: field(error, "data") ?? null,
		...limitsIn(field(error, "headers")),
		reportedReset:
			list
				.map((e) => resetIn(field(e, "extensions")))
				.find((r) => r !== null) ?? null,
	};
}

function resetIn(extensions: unknown): number | null {
	const epoch = numberOf(field(extensions, "reset_at_epoch"));
	if (epoch !== null) return epoch;
	const ms = Date.parse(text(field(extensions, "reset_at")));
	return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

function limitsIn(
	headers: unknown,
): Pick<Said, "retryAfter" | "remaining" | "resetAt"> {
	return {
		retryAfter: numberOf(field(headers, "retry-after")),
		remaining: numberOf(field(headers, "x-ratelimit-remaining")),
		resetAt: numberOf(field(headers, "x-ratelimit-reset")),
	};
}

function nothing(from: Said["from"], message: string, ended: boolean): Said {
	return {
		from,
		status: null,
		message,
		words: "",
		errors: [],
		partial: null,
		retryAfter: null,
		remaining: null,
		resetAt: null,
		reportedReset: null,
		ended,
	};
}

function isEnding(error: Error): boolean {
	return error.name === "TimeoutError" || error.name === "AbortError";
}

function field(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null
		? Reflect.get(value, name)
		: undefined;
}

function text(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** Whole and not negative; digits count, too. */
function numberOf(value: unknown): number | null {
	const digits = typeof value === "number" ? String(value) : text(value);
	return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
