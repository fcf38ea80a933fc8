import { expect, test } from "bun:test";
import {
	reactionTarget,
	sameBot,
	sameLogin,
	sameRepo,
	type Target,
	withoutBot,
} from "../../monitor/_state/emit-block-target.ts";
import { parseBlocks } from "../../monitor/_state/emit-blocks.ts";
import {
	cooldownStem,
	fileName,
	targetStem,
} from "../../monitor/_state/emit-stem.ts";

const NONE: Target = { kind: "none" };
test.each<[string, Target]>([
	["issue=7 id=9 author=op", { kind: "comment", id: "9" }],
	["pr=7 id=9 author=op", { kind: "comment", id: "9" }],
	["pr_review=7 id=9 author=op path=a.ts", { kind: "review_comment", id: "9" }],
	["pr_review=7 id=9 author=op path=?", NONE],
	["pr_review=7 id=9 author=op", NONE],
	["pr_review=7 author=op path=a.ts", NONE],
	["issue_new=7 id=7 author=op", { kind: "issue", number: "7" }],
	["mention=a/b kind=issue n=7 id=9 author=op", { kind: "comment", id: "9" }],
	["mention=a/b kind=pr n=7 id=9 author=op", { kind: "comment", id: "9" }],
	[
		"mention=a/b kind=pr n=7 id=9 author=op src=body",
		{ kind: "issue", number: "7" },
	],
	[
		"mention=a/b kind=issue_new n=7 id=7 author=op",
		{ kind: "issue", number: "7" },
	],
	[
		"mention=a/b kind=pr_review n=7 id=9 author=op path=x",
		{ kind: "review_comment", id: "9" },
	],
	["mention=a/b kind=pr_review n=7 id=9 author=op path=?", NONE],
	["mention=a/b kind=pr_review n=7 id=9 author=op path=? src=body", NONE],
	[
		"cross_repo=a/b kind=issue n=7 id=9 author=op src=body",
		{ kind: "issue", number: "7" },
	],
	["cross_repo=a/b kind=issue n=7 author=op", NONE],
	["issue=7 author=op", NONE],
])("%s is reacted to at %o", (header, target) => {
	const [block] = parseBlocks(`${header}\n`);
	if (block?.kind !== "comment") throw new Error("no comment");
	expect(reactionTarget(block)).toEqual(target);
});

test.each([
	["op", "OP", true],
	["op", "op-staging", false],
	["op", "op[bot]", false],
	["", "", false],
	["kim", "\u212aim", false],
])("logins %j and %j: the same is %p", (a, b, same) => {
	expect([
		sameLogin(a, b),
		sameRepo(`acme/${a}`, `ACME/${b}`) || a === b,
	]).toEqual([same, same || a === b]);
});

test.each([
	["hub-bot", "Hub-Bot[bot]", true],
	["hub-bot[bot]", "hub-bot", true],
	["hub-bot", "hub-bot-2", false],
	["", "[bot]", false],
])("bots %j and %j: the same is %p", (a, b, same) => {
	expect(sameBot(a, b)).toBe(same);
});

test("the slug is the login without its mark", () => {
	expect([withoutBot("hub-bot[bot]"), withoutBot("hub-bot")]).toEqual([
		"hub-bot",
		"hub-bot",
	]);
});

test.each<[string, string, string]>([
	["issue=7 id=9", "comment-9", "comment-9"],
	["issue_new=7 id=7", "issue-acme_hub-7", "comment-7"],
	["pr_review=7 id=9 path=a.ts", "review_comment-9", "comment-9"],
	["pr_review=7 id=9 path=?", "none-acme_hub-7-9", "comment-9"],
	["pr_review=7 path=?", "none-acme_hub-7-", "none-acme_hub-7-"],
	["mention=Acme/App kind=pr n=7 id=9", "comment-9", "comment-9"],
	[
		"mention=Acme/App kind=issue_new n=7 id=7",
		"issue-acme_app-7",
		"issue-acme_app-7",
	],
	[
		"mention=Acme/App kind=pr_review n=7 id=9 path=?",
		"none-acme_app-7-9",
		"none-acme_app-7-9",
	],
])(
	"%s is remembered as %s, and for the cooldown as %s",
	(header, target, cooldown) => {
		const [block] = parseBlocks(`${header} author=op\n`);
		if (block?.kind !== "comment") throw new Error("no comment");
		expect(targetStem(block, "Acme/Hub")).toBe(target);
		expect(cooldownStem(block, "Acme/Hub")).toBe(cooldown);
	},
);

test("a name of a stamp is one, however long", () => {
	expect(fileName("a/b", "x".repeat(300))).toBe(`a_b-${"x".repeat(196)}`);
});
