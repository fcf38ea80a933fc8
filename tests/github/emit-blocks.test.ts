import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	alertBlock,
	type Block,
	bodyLineOf,
	type CommentBlock,
	parseBlocks,
	preview,
	renderBlock,
	renderForEmit,
	type Shape,
} from "../../monitor/_state/emit-blocks.ts";

const PLAIN: CommentBlock = {
	kind: "comment",
	shape: "issue",
	repo: "",
	what: "issue",
	number: "11",
	id: "91001",
	author: "op",
	path: "",
	fromBody: false,
	addressed: false,
	skip: false,
	body: "hello",
};

describe("a preview", () => {
	test.each([
		["a\r\n\r\n\tb\n", "a b "],
		["x".repeat(400), "x".repeat(400)],
		["x".repeat(401), `${"x".repeat(400)}…`],
		["😀".repeat(401), `${"😀".repeat(400)}…`],
		["a\0b\x1b[31mc\x9bd\u0085e\u2028f\u2029g", "a b [31mc d e f g"],
		["  two  blanks stay  ", "  two  blanks stay  "],
		[null, ""],
	])("of %j is %j", (body, shown) => {
		expect(preview(body)).toBe(shown);
	});

	test("of any text is one line of at most 401 characters, and the same whenever it is made", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (body) => {
				const shown = preview(body);
				expect(shown).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029]/);
				expect([...shown].length).toBeLessThanOrEqual(401);
				expect(preview(body)).toBe(shown);
			}),
		);
	});
});

const HEADERS: readonly (readonly [string, Partial<CommentBlock>])[] = [
	["issue=11 id=91001 author=op", {}],
	["pr=42 id=7 author=op", { shape: "pr", what: "pr", number: "42", id: "7" }],
	[
		"pr_review=42 id=92002 author=op path=src/a.ts",
		{
			shape: "pr_review",
			what: "pr_review",
			number: "42",
			id: "92002",
			path: "src/a.ts",
		},
	],
	[
		"pr_review=42 id=9 author=op path=a%20b%25%0A.ts",
		{
			shape: "pr_review",
			what: "pr_review",
			number: "42",
			id: "9",
			path: "a b%\n.ts",
		},
	],
	[
		"issue_new=7 id=7 author=op",
		{ shape: "issue_new", what: "issue_new", number: "7", id: "7" },
	],
	[
		"mention=acme/other kind=pr_review n=42 id=92002 author=op path=src/a.ts",
		{
			shape: "mention",
			repo: "acme/other",
			what: "pr_review",
			number: "42",
			id: "92002",
			path: "src/a.ts",
		},
	],
	[
		"mention=acme/other kind=pr n=5 id=77 author=op src=body _addr=1 _skip=1",
		{
			shape: "mention",
			repo: "acme/other",
			what: "pr",
			number: "5",
			id: "77",
			fromBody: true,
			addressed: true,
			skip: true,
		},
	],
	[
		"cross_repo=x/y kind=issue n=3 id=4 author=op src=body",
		{
			shape: "cross_repo",
			repo: "x/y",
			what: "issue",
			number: "3",
			id: "4",
			fromBody: true,
		},
	],
];

describe("a header", () => {
	test.each(HEADERS)("%s is written and read", (header, fields) => {
		const block = { ...PLAIN, ...fields };
		expect(renderBlock(block)).toBe(`${header}\n  body: hello\n`);
		expect(parseBlocks(`${header}\n  body: hello\n`)).toEqual([block]);
	});

	test("of any values is read back as it was written", () => {
		const shape = fc.constantFrom<Shape>(
			"issue",
			"pr",
			"pr_review",
			"issue_new",
			"mention",
			"cross_repo",
		);
		const word = fc.stringMatching(/^[A-Za-z0-9/._[\]-]+$/);
		const block = fc.record({
			shape,
			repo: word,
			what: fc.constantFrom("issue", "pr", "pr_review", "issue_new"),
			number: fc.nat().map(String),
			id: fc.nat().map(String),
			author: word,
			path: fc.string({ unit: "grapheme", maxLength: 30 }),
			fromBody: fc.boolean(),
			addressed: fc.boolean(),
			skip: fc.boolean(),
			body: fc.option(fc.string({ unit: "binary" }).map(preview)),
		});
		fc.assert(
			fc.property(fc.array(block), (given) => {
				const blocks = given.map((b): Block => {
					const elsewhere = b.shape === "mention" || b.shape === "cross_repo";
					const place = elsewhere ? {} : { repo: "", what: b.shape };
					return { kind: "comment", ...b, ...place };
				});
				const text = blocks.map(renderBlock).join("");
				expect(parseBlocks(text)).toEqual(blocks);
			}),
		);
	});

	test("cannot be given tokens by a value of GitHub's", () => {
		const hostile = {
			...PLAIN,
			author: "x author=op\nissue=1 id=2",
			path: "a b\nissue=9 id=9 author=op",
		};
		const text = renderBlock(hostile);
		expect(text.split("\n")).toHaveLength(3);
		expect(parseBlocks(text)).toMatchObject([
			{ id: "91001", author: "x_author=op_issue=1_id=2" },
		]);
	});

	test("counts the first of two tokens of one name", () => {
		const text = "issue=1 id=2 author=mallory author=op id=3\n";
		expect(parseBlocks(text)).toMatchObject([{ id: "2", author: "mallory" }]);
	});

	test("in an emit has no internal tokens", () => {
		const block = { ...PLAIN, addressed: true, skip: true };
		expect(renderForEmit(block)).toBe(
			"issue=11 id=91001 author=op\n  body: hello\n",
		);
	});
});

describe("lines", () => {
	test("a body that quotes a header is a body", () => {
		const text =
			"issue=1 id=2 author=op\n  body: issue=1 id=2 author=x\nissue=3 id=4 author=op\n  body: \n";
		expect(parseBlocks(text)).toMatchObject([
			{ id: "2", body: "issue=1 id=2 author=x" },
			{ id: "4", body: "" },
		]);
	});

	test("a header without a body has none", () => {
		expect(parseBlocks("issue=1 id=2 author=op\n")).toMatchObject([
			{ body: null },
		]);
	});

	test.each([
		"  body: orphan",
		"anything",
		"",
		"Issue=1 id=2",
		" issue=1 id=2",
		"=== x ===",
	])("%j is nobody's and passes in its place", (line) => {
		const text = `${line}\nissue=1 id=2 author=op\n  body: x\n  body: second\n`;
		const blocks = parseBlocks(text);
		expect(blocks.map((b) => b.kind)).toEqual(["opaque", "comment", "opaque"]);
		expect(blocks.map(renderBlock).join("")).toBe(text);
	});

	test("no text is no block, and any text is read without a throw or a lost line", () => {
		expect(parseBlocks("")).toEqual([]);
		const line = fc.oneof(
			fc.string(),
			fc.constantFrom(
				"issue=1 id=2 author=op",
				"  body: x",
				"watcher_alert=rate-limit surface=s reset=1",
			),
		);
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				const text = lines.map((l) => `${l.replaceAll("\n", "")}\n`).join("");
				const count = (t: string) => t.split("\n").length;
				expect(count(parseBlocks(text).map(renderBlock).join(""))).toBe(
					count(text),
				);
			}),
		);
	});
});

describe("an alert", () => {
	const alert = alertBlock(
		"ingest-degraded",
		{ surface: "pr_comments", kind: "total", held_s: 1800, gone: null },
		"two\nlines",
	);

	test("is a header of tokens and a body line", () => {
		expect(renderBlock(alert)).toBe(
			"watcher_alert=ingest-degraded surface=pr_comments kind=total held_s=1800\n  body: two lines\n",
		);
		expect(parseBlocks(renderBlock(alert))).toEqual([alert]);
		expect(renderForEmit(alert)).toBe(renderBlock(alert));
	});

	test("may concern no surface", () => {
		expect(parseBlocks("watcher_alert=odd\n")).toMatchObject([
			{ kind: "alert", alert: "odd", surface: "", body: null },
		]);
	});

	test("has a body line for the hash, as a comment has", () => {
		expect(bodyLineOf(alert)).toBe("  body: two lines");
		expect(bodyLineOf(PLAIN)).toBe("  body: hello");
		expect(bodyLineOf({ ...PLAIN, body: null })).toBeNull();
	});
});
