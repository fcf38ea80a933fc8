import { describe, expect, test } from "bun:test";
import {
	classify,
	failure,
	failureLine,
	type GhClass,
	resetEpoch,
} from "../../monitor/_github/errors.ts";
import { NOW } from "./rig.ts";

/** Errors as Octokit throws them, by their shape. */
function httpError(
	status: number,
	message: string,
	response?: { headers?: Record<string, string>; data?: unknown },
	cause?: Error,
): Error {
	const error = new Error(message, { cause });
	error.name = "HttpError";
	return Object.assign(error, { status, response });
}
function json(status: number, message: string, headers = {}): Error {
	return httpError(status, message, { headers, data: { message } });
}
function graphqlError(
	errors: readonly unknown[],
	headers: Record<string, string> = {},
	data?: unknown,
): Error {
	const error = new Error("Request failed due to following response errors");
	error.name = "GraphqlResponseError";
	return Object.assign(error, { errors, headers, data });
}
const SECONDARY =
	"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const LEFT = { "x-ratelimit-remaining": "12" };
const NONE_LEFT = {
	"x-ratelimit-remaining": "0",
	"x-ratelimit-reset": String(NOW + 300),
};

const ROWS: readonly (readonly [string, Error, GhClass, number | null])[] = [
	[
		"RATE_LIMITED",
		graphqlError([{ type: "RATE_LIMITED" }], NONE_LEFT),
		"rate_primary",
		NOW + 300,
	],
	[
		"RATE_LIMIT with an epoch of its own",
		graphqlError(
			[{ type: "RATE_LIMIT", extensions: { reset_at_epoch: NOW + 120 } }],
			NONE_LEFT,
		),
		"rate_primary",
		NOW + 120,
	],
	[
		"RATE_LIMIT with a date of its own",
		graphqlError([
			{
				type: "RATE_LIMIT",
				extensions: { reset_at: new Date((NOW + 90) * 1000).toISOString() },
			},
		]),
		"rate_primary",
		NOW + 90,
	],
	[
		"a code in the extensions",
		graphqlError([{ extensions: { code: "graphql_rate_limit" } }]),
		"rate_primary",
		NOW + 900,
	],
	[
		"a code at the top",
		graphqlError([{ code: "graphql_rate_limit" }]),
		"rate_primary",
		NOW + 900,
	],
	[
		"only the sentence",
		graphqlError([
			{ message: "API rate limit already exceeded for installation ID 1." },
		]),
		"rate_primary",
		NOW + 900,
	],
	[
		"GraphQL, secondary",
		graphqlError([{ message: SECONDARY }]),
		"rate_secondary",
		NOW + 60,
	],
	[
		"data and RESOURCE_LIMITS_EXCEEDED",
		graphqlError(
			[{ type: "RESOURCE_LIMITS_EXCEEDED" }],
			{},
			{ search: { nodes: [] } },
		),
		"graphql_partial",
		null,
	],
	[
		"errors without data",
		graphqlError([{ message: "Something went wrong" }], {}, null),
		"graphql_error",
		null,
	],
	[
		"403 secondary with retry-after",
		json(403, SECONDARY, { ...LEFT, "retry-after": "60" }),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 secondary without retry-after: not the primary window's reset",
		json(403, SECONDARY, { ...LEFT, "x-ratelimit-reset": String(NOW + 840) }),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 with retry-after, whatever it says",
		json(403, "Resource not accessible by integration", {
			...LEFT,
			"retry-after": "45",
		}),
		"rate_secondary",
		NOW + 45,
	],
	[
		"403 secondary with nothing left: the words win",
		json(403, SECONDARY, NONE_LEFT),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 with the sentence alone",
		json(403, "API rate limit exceeded for x"),
		"rate_primary",
		NOW + 900,
	],
	[
		"403 with nothing left, whatever it says",
		json(403, "Resource not accessible by integration", NONE_LEFT),
		"rate_primary",
		NOW + 300,
	],
	["429 refusal", json(429, "Forbidden"), "rate_secondary", NOW + 60],
	[
		"GraphQL, with retry-after before the window's reset",
		graphqlError([{ type: "RATE_LIMITED" }], {
			...NONE_LEFT,
			"retry-after": "45",
		}),
		"rate_primary",
		NOW + 45,
	],
	[
		"GraphQL, with points left: the window's reset is not meant",
		graphqlError([{ type: "RATE_LIMITED" }], {
			...LEFT,
			"x-ratelimit-reset": String(NOW + 300),
		}),
		"rate_primary",
		NOW + 900,
	],
	[
		"data without the search",
		graphqlError([{ message: "boom" }], {}, { search: null }),
		"graphql_error",
		null,
	],
	[
		"403 with nothing left",
		json(403, "API rate limit exceeded for x", NONE_LEFT),
		"rate_primary",
		NOW + 300,
	],
	[
		"429 with nothing left",
		json(429, "API rate limit exceeded for x", NONE_LEFT),
		"rate_primary",
		NOW + 300,
	],
	[
		"429 without a word",
		json(429, "Too many requests"),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 in HTML",
		httpError(403, "<title>403 Forbidden</title>", {
			headers: LEFT,
			data: "<title>403 Forbidden</title>",
		}),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 without a body",
		httpError(403, "", { headers: LEFT, data: "" }),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 that is only a number",
		json(403, "Slow down", LEFT),
		"rate_secondary",
		NOW + 60,
	],
	[
		"403 refusal",
		json(403, "Resource not accessible by integration", LEFT),
		"forbidden",
		null,
	],
	[
		"403 archived",
		json(403, "Repository was archived so is read-only.", LEFT),
		"forbidden",
		null,
	],
	["401", json(401, "Bad credentials"), "auth", null],
	["404", json(404, "Not Found"), "not_found", null],
	["410", json(410, "This issue was deleted"), "not_found", null],
	["409", json(409, "Git Repository is empty."), "client", null],
	["422", json(422, "Validation Failed"), "client", null],
	[
		"502 HTML",
		httpError(502, "<h1>Unicorn</h1>", { data: "<h1>Unicorn</h1>" }),
		"server",
		null,
	],
	["500", json(500, "Internal error"), "server", null],
	["499", json(499, "closed"), "client", null],
	["503", json(503, "Service unavailable"), "server", null],
	[
		"a refused connection",
		httpError(
			500,
			"Unable to connect",
			undefined,
			new TypeError("Unable to connect"),
		),
		"network",
		null,
	],
	[
		"a deadline before the head",
		httpError(
			500,
			"no answer",
			undefined,
			new DOMException("no answer", "TimeoutError"),
		),
		"timeout",
		null,
	],
	["a bare abort", new DOMException("ended", "AbortError"), "timeout", null],
];

test.each(ROWS)("%s", (_name, error, kind, reset) => {
	const failed = classify(error, { timedOut: false });
	expect(failed.kind).toBe(kind);
	const limited = kind === "rate_primary" || kind === "rate_secondary";
	expect(limited ? resetEpoch(failed, NOW, 0) : null).toBe(reset);
});

test("whatever was thrown after our own deadline is a timeout", () => {
	const odd = new Error("anything");
	expect(classify(odd, { timedOut: true }).kind).toBe("timeout");
	expect(classify(json(502, "x"), { timedOut: true }).kind).toBe("timeout");
});

test("an error of nobody's is a bug and is thrown on", () => {
	const bug = new RangeError("a bug of ours");
	expect(() => classify(bug, { timedOut: false })).toThrow(bug);
	expect(() => classify("a text", { timedOut: false })).toThrow("a text");
});

test("secondary limits in a row double up to a quarter of an hour", () => {
	const failed = failure("rate_secondary");
	const resets = [0, 1, 4, 5].map((n) => resetEpoch(failed, NOW, n) - NOW);
	expect(resets).toEqual([60, 120, 900, 900]);
});

test("a partial answer keeps what it brought", () => {
	const data = { search: { pageInfo: { endCursor: "c2" } } };
	const failed = classify(graphqlError([{ type: "X" }], {}, data), {
		timedOut: false,
	});
	expect(failed.partial).toEqual(data);
});

test("in one line it says its status, or its class where there was no answer", () => {
	expect(failureLine(failure("server", { status: 502, message: "x" }))).toBe(
		"HTTP 502: x",
	);
	expect(failureLine(failure("network"))).toBe("network: network");
});

describe("the message", () => {
	test.each([
		["Bad token ghs_abcdefgh12345", "Bad token (redacted)"],
		[
			"user ghp_abcdefgh12345, github_pat_11ABC_def",
			"user (redacted), (redacted)",
		],
		["jwt eyJhbGciOi.eyJpYXQi.c2ln-_x", "jwt (redacted)"],
		[
			"key -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- end",
			"key (redacted) end",
		],
		["a\nb\r\n\tc\x1b[31md\u2028e", "a b c [31md e"],
		["x".repeat(600), `${"x".repeat(500)}…`],
	])("%j is shown as %j", (said, shown) => {
		const failed = classify(json(422, said), { timedOut: false });
		expect(failed.message).toBe(shown);
	});

	test("a credential that looks like none is known by its text", () => {
		const failed = classify(json(422, "no such token: hunter2"), {
			timedOut: false,
			secrets: ["hunter2", ""],
		});
		expect(failed.message).toBe("no such token: (redacted)");
	});
});
