import { describe, expect, test } from "bun:test";
import {
	eventEligible,
	parseListing,
} from "../../monitor/_github/delivery-listing.ts";
import {
	type DeliveryRules,
	deliveryToBlock,
} from "../../monitor/_github/delivery-payload.ts";
import { renderBlock } from "../../monitor/_state/emit-blocks.ts";

test.each<[string, string | null, boolean]>([
	["issue_comment", "created", true],
	["pull_request_review_comment", "created", true],
	["pull_request_review", "submitted", true],
	["issues", "opened", true],
	["pull_request", "opened", true],
	["issue_comment", "edited", false],
	["pull_request_review", "edited", false],
	["push", null, false],
	["security_advisory", "published", false],
	["create", null, false],
	["toString", "created", false],
])("%s/%s can be a comment: %p", (event, action, eligible) => {
	expect(eventEligible(event, action)).toBe(eligible);
});

describe("a listing", () => {
	const row = { guid: "g", id: 7, event: "issues", action: "opened" };
	test.each<[string, unknown, unknown]>([
		["that is none", { a: 1 }, null],
		["of nothing", [], []],
		[
			"with an id that no number holds",
			[{ ...row, id: 3_800_000_000_000_000_007n }],
			[{ ...row, id: "3800000000000000007" }],
		],
		["with a row that lacks its guid", [{ ...row, guid: "" }], []],
		["with a row that lacks its id", [{ ...row, id: null }], []],
		["with a redelivery", [{ ...row, redelivery: true }], []],
		["with rows of any kind", [null, 1, "x", row], [{ ...row, id: "7" }]],
	])("%s", (_name, data, rows) => {
		expect(parseListing(data)).toEqual(rows as never);
	});
});

const RULES: DeliveryRules = {
	repo: "acme/hub",
	botLogin: "hub-bot",
	home: true,
	elsewhere: true,
};
const comment = {
	action: "created",
	issue: { number: 11 },
	comment: { id: 91001, body: "please do", user: { login: "op" } },
	repository: { full_name: "acme/hub" },
};
const review = {
	action: "created",
	pull_request: { number: 42 },
	comment: { id: 92002, body: "x", path: "src/a.ts", user: { login: "op" } },
	repository: { full_name: "acme/hub" },
};
const told = (
	event: string,
	payload: unknown,
	rules: Partial<DeliveryRules> = {},
) => {
	const block = deliveryToBlock(event, payload, { ...RULES, ...rules });
	return block === null ? null : renderBlock(block);
};

describe("a payload is told as", () => {
	test.each<[string, string, unknown, string]>([
		[
			"a comment on an issue",
			"issue_comment",
			comment,
			"issue=11 id=91001 author=op\n  body: please do\n",
		],
		[
			"a comment on a pull request",
			"issue_comment",
			{ ...comment, issue: { number: 11, pull_request: {} } },
			"pr=11 id=91001 author=op\n  body: please do\n",
		],
		[
			"one on an issue that says it is no pull request",
			"issue_comment",
			{ ...comment, issue: { number: 11, pull_request: null } },
			"issue=11 id=91001 author=op\n  body: please do\n",
		],
		[
			"a review comment",
			"pull_request_review_comment",
			review,
			"pr_review=42 id=92002 author=op path=src/a.ts\n  body: x\n",
		],
		[
			"the same elsewhere",
			"pull_request_review_comment",
			{ ...review, repository: { full_name: "acme/other" } },
			"mention=acme/other kind=pr_review n=42 id=92002 author=op path=src/a.ts\n  body: x\n",
		],
		[
			"one at home, however the repository is spelled",
			"issue_comment",
			{ ...comment, repository: { full_name: "ACME/Hub" } },
			"issue=11 id=91001 author=op\n  body: please do\n",
		],
		[
			"one of nobody's",
			"issue_comment",
			{ ...comment, comment: { id: 1, user: null, body: null } },
			"issue=11 id=1 author=ghost\n  body: \n",
		],
		[
			"one that names the bot behind its preview",
			"issue_comment",
			{
				...comment,
				repository: { full_name: "acme/other" },
				comment: {
					...comment.comment,
					body: `${"x".repeat(400)} @Hub-Bot`,
				},
			},
			`mention=acme/other kind=issue n=11 id=91001 author=op _addr=1\n  body: ${"x".repeat(400)}…\n`,
		],
		[
			"one that asks behind its preview not to be heard",
			"issue_comment",
			{
				...comment,
				comment: {
					...comment.comment,
					body: `${"x".repeat(400)} <!-- nexus:skip -->`,
				},
			},
			`issue=11 id=91001 author=op _skip=1\n  body: ${"x".repeat(400)}…\n`,
		],
	])("%s", (_name, event, payload, text) => {
		expect(told(event, payload)).toBe(text);
	});
});

describe("a payload is told to nobody", () => {
	test.each<[string, string, unknown, Partial<DeliveryRules>]>([
		["without a number", "issue_comment", { ...comment, issue: {} }, {}],
		["without an id", "issue_comment", { ...comment, comment: {} }, {}],
		[
			"without a repository",
			"issue_comment",
			{ ...comment, repository: {} },
			{},
		],
		[
			"of another action",
			"issue_comment",
			{ ...comment, action: "edited" },
			{},
		],
		["of another event", "push", comment, {}],
		["that is no object", "issue_comment", "text", {}],
		[
			"when the configured repository is off",
			"issue_comment",
			comment,
			{ home: false },
		],
		[
			"when others are off",
			"issue_comment",
			{ ...comment, repository: { full_name: "acme/other" } },
			{ elsewhere: false },
		],
	])("%s", (_name, event, payload, rules) => {
		expect(told(event, payload, rules)).toBeNull();
	});
});
