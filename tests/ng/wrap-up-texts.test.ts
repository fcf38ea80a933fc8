/** The pure parts of a wrap-up (contract 05 §8.3, §8.4, §8.8). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { composeComment } from "../../monitor/_ng/wrap-up/compose.ts";
import {
	priorComment,
	wasPublished,
} from "../../monitor/_ng/wrap-up/history.ts";
import { replaceAssetLinks } from "../../monitor/_ng/wrap-up/links.ts";
import { retainEvent } from "../../monitor/_ng/wrap-up/log.ts";
import { planComment } from "../../monitor/_ng/wrap-up/plan.ts";
import {
	exitFor,
	type Result,
	renderSummary,
	renderTrouble,
} from "../../monitor/_ng/wrap-up/render.ts";
import { reportTitle, teaser } from "../../monitor/_ng/wrap-up/teaser.ts";
import {
	newestWrapUp,
	renderVerdict,
	verdictOf,
} from "../../monitor/_ng/wrap-up-check/verdict.ts";
import { parseActionLog } from "../../monitor/_state/action-log.ts";

const report = (summary: string, intro = "") =>
	`---\nproject: x\n---\n\n# A title \n${intro}\n## Summary\n\n${summary}\n\n## What Was Done\n\nMuch.\n`;
const whole = "Fixed. The composer now refuses fragments.";
const long = (words: number) =>
	Array.from({ length: words }, (_, i) => `word${i}`).join(" ");

describe("the teaser", () => {
	test.each([
		["First sentence here. Second one follows.", "First sentence here."],
		["See Fig. 3 for the result. Next.", "See Fig. 3 for the result."],
		[whole, whole],
		["All tests pass.", "All tests pass."],
		["Two lines\nof one sentence. Next one.", "Two lines of one sentence."],
		[
			"It works, e.g. Bun does so nicely. Next.",
			"It works, e.g. Bun does so nicely.",
		],
		[
			"Written by J. Smith for the team. Next.",
			"Written by J. Smith for the team.",
		],
		[
			"Raised to 2.5. The rest is as it was before.",
			"Raised to 2.5. The rest is as it was before.",
		],
		["The end is near enough. `code` follows here.", "The end is near enough."],
		[
			"See FIG. A for the whole result. Next.",
			"See FIG. A for the whole result.",
		],
		["All of it is in v2x now. Next one.", "All of it is in v2x now."],
		[
			"It holds, and **Note:** it is fast. Next.",
			"It holds, and **Note:** it is fast.",
		],
		[
			"The end is near. but not here. Now it is.",
			"The end is near. but not here.",
		],
		[
			"**Verdict:** PASS\nEverything was rebuilt from scratch. More.",
			"Everything was rebuilt from scratch.",
		],
	])("of %j is %j", (summary, text) => {
		expect(teaser(report(summary))).toEqual({ kind: "ok", text });
	});

	const next = "Next one.";
	const twenty = `${"x".repeat(9)} ${"y".repeat(9)}.`;
	const nineteen = twenty.slice(1);
	const at200 = `${"a ".repeat(98)}bbb.`;
	const at201 = `${"a ".repeat(98)}bbbb.`;
	const space150 = `two ${"y".repeat(146)} ${"z".repeat(300)}`;
	const space149 = `two ${"y".repeat(145)} ${"z".repeat(300)}`;
	test.each([
		["two words are enough", "Works fine.", "Works fine."],
		["a sentence of 20 characters stands alone", `${twenty} ${next}`, twenty],
		["one of 19 does not", `${nineteen} ${next}`, `${nineteen} ${next}`],
		["a sentence may end at 200", `${at200} ${next}`, at200],
		[
			"one that ends behind that is cut, at its last blank",
			`${at201} ${next}`,
			`${"a ".repeat(98).trim()}...`,
		],
		["a blank at 150 is one to cut at", space150, `two ${"y".repeat(146)}...`],
		[
			"one before that loses too much",
			space149,
			`${space149.slice(0, 200)}...`,
		],
		[
			"200 characters need no cut",
			`two ${"y".repeat(196)}`,
			`two ${"y".repeat(196)}`,
		],
	])("%s", (_, summary, text) => {
		expect(teaser(report(summary))).toEqual({ kind: "ok", text });
	});

	test("a heading that only begins or ends so is no summary", () => {
		for (const heading of ["## Summary of it", "A ## Summary", "### Summary"])
			expect(
				teaser(`# T\n\nThe intro counts.\n\n${heading}\nNot this.\n`),
			).toEqual({
				kind: "ok",
				text: heading.startsWith("## ")
					? "The intro counts."
					: `The intro counts. ${heading} Not this.`,
			});
		expect(teaser("x # T\n\nNo title, no intro.\n")).toEqual({ kind: "none" });
	});

	test("a summary may be the report's last section, under any case of its heading", () => {
		expect(teaser("# T\n\n##  SUMMARY \nAll is done.\n")).toEqual({
			kind: "ok",
			text: "All is done.",
		});
	});

	for (const summary of [
		"BLOCK.",
		"**Verdict:** PASS",
		"**A:** x\n**B:** y",
		"x".repeat(250),
		"** __ ``",
		"— — —",
	])
		test(`of ${JSON.stringify(summary.slice(0, 30))} says nothing`, () => {
			expect(teaser(report(summary))).toEqual({ kind: "degenerate" });
		});

	test("without a summary it is what stands below the title, or none", () => {
		expect(teaser(report("", "\nAn intro of some length.\n"))).toEqual({
			kind: "ok",
			text: "An intro of some length.",
		});
		expect(teaser(report("  "))).toEqual({ kind: "none" });
		expect(teaser("no heading at all")).toEqual({ kind: "none" });
	});

	test("a long one is cut between words, or within one when that would lose too much", () => {
		const cut = teaser(report(long(60)));
		expect(cut.kind === "ok" && cut.text).toMatch(/^word0 .*word\d+\.\.\.$/);
		expect(cut.kind === "ok" && cut.text.length).toBeLessThanOrEqual(203);
		const wide = teaser(report(`two words ${"y".repeat(300)}`));
		expect(wide.kind === "ok" && wide.text).toBe(
			`two words ${"y".repeat(190)}...`,
		);
	});

	test("is one line of at most 203 characters with two words in it, whatever the report", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), (text) => {
				const quoted = teaser(report(text));
				if (quoted.kind !== "ok") return;
				expect(quoted.text).not.toMatch(/[\r\n]/);
				expect([...quoted.text].length).toBeLessThanOrEqual(203);
			}),
		);
	});

	test("the title is the first of its rank, and never a line of the head", () => {
		expect(
			reportTitle("---\n# a remark\n---\n\n#  The title  \n# other\n"),
		).toBe("The title");
		expect(reportTitle("## only sections")).toBeNull();
	});
});

describe("the comment", () => {
	const c = {
		given: null,
		report: report("One whole sentence here. Two."),
		basename: "r.md",
		url: "U",
	};
	test.each([
		[
			"a report",
			c,
			"## A title\n\nOne whole sentence here.\n\nFull report: U\n",
		],
		[
			"a report without a summary",
			{ ...c, report: "# T\n" },
			"## T\n\nFull report: U\n",
		],
		[
			"a report without a title",
			{ ...c, report: "text" },
			"## r.md\n\nReport: U\n",
		],
		["a supplied text", { ...c, given: "Mine" }, "Mine\n\nFull report: U"],
		[
			"a supplied text with the token",
			{ ...c, given: "a {{REPORT_URL}} b {{REPORT_URL}}", url: "$&" },
			"a $& b $&",
		],
	])("of %s", (_, from, body) => {
		expect(composeComment(from)).toEqual({ kind: "ok", body });
	});
	test("of a report whose summary says nothing is none", () => {
		expect(composeComment({ ...c, report: report("BLOCK.") })).toEqual({
			kind: "degenerate",
		});
	});
});

describe("links", () => {
	const to = "https://h/n/r.md";
	test.each([
		["see https://a/b/r.md here", `see ${to} here`],
		["see https://a/b/r.md.", `see ${to}.`],
		["see https://a/b/r.md. Next", `see ${to}. Next`],
		["[x](https://a/b/r.md)", `[x](${to})`],
		["<http://a/r.md>", `<${to}>`],
		["https://a/r.md?raw=1#L3", `${to}?raw=1#L3`],
		["https://a/r.md and https://b/r.md", `${to} and ${to}`],
		["https://a/xr.md", "https://a/xr.md"],
		["https://a/r.md.bak", "https://a/r.md.bak"],
		["https://a/r.mdx", "https://a/r.mdx"],
		["https://a/rxmd", "https://a/rxmd"],
		["ftp://a/r.md", "ftp://a/r.md"],
	])("%s", (body, after) => {
		expect(replaceAssetLinks(body, "r.md", to)).toBe(after);
	});
	test("names with blanks, brackets and a percent encoding; the new URL is taken to the letter", () => {
		const name = "a (1)+$.md";
		expect(
			replaceAssetLinks(
				`https://h/a (1)+$.md https://h/a%20%281%29%2B%24.md`,
				name,
				"$&$1",
			),
		).toBe("$&$1 $&$1");
	});
	test("replacing twice changes no more", () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.constantFrom(
						"https://a/r.md",
						"r.md",
						".",
						" ",
						")",
						"/x",
						"?q",
						"\n",
						"'",
					),
				),
				(parts) => {
					const once = replaceAssetLinks(parts.join(""), "r.md", to);
					expect(replaceAssetLinks(once, "r.md", to)).toBe(once);
				},
			),
		);
	});
});

describe("the plan", () => {
	const url = "https://h/2/r.md";
	const old = "https://h/1/r.md";
	const body = `## T\n\nWords.\n\nFull report: ${url}\n`;
	const was = body.replace(url, old);
	const facts = { prior: null, body, isSupplied: false, basename: "r.md", url };
	test.each([
		["no earlier comment", facts, { kind: "post" }],
		[
			"one that no longer links the report",
			{ ...facts, prior: { body: "moved", assetUrl: old } },
			{ kind: "post" },
		],
		[
			"the same in every word",
			{ ...facts, prior: { body, assetUrl: url } },
			{ kind: "keep", repointed: null, outcome: "updated" },
		],
		[
			"the same with a link that somebody bent",
			{ ...facts, prior: { body: was, assetUrl: url } },
			{ kind: "keep", repointed: body, outcome: "updated" },
		],
		[
			"the same, but the link had moved",
			{ ...facts, prior: { body: was, assetUrl: old } },
			{ kind: "keep", repointed: body, outcome: "nothing-published" },
		],
		[
			"other words of the report",
			{ ...facts, prior: { body: `old ${old}`, assetUrl: old } },
			{ kind: "replace", repointed: `old ${url}` },
		],
		[
			"other words by hand",
			{
				...facts,
				isSupplied: true,
				prior: { body: `old ${url}`, assetUrl: url },
			},
			{ kind: "post-beside", repointed: null },
		],
		[
			"line ends as GitHub gives them back",
			{
				...facts,
				prior: { body: body.replaceAll("\n", "\r\n"), assetUrl: url },
			},
			{ kind: "keep", repointed: null, outcome: "updated" },
		],
	] as const)("%s", (_, given, plan) => {
		expect(planComment(given)).toEqual(plan);
	});
});

describe("the close check", () => {
	const line = (
		event: string,
		at: number,
		extra: Record<string, string> = {},
	) =>
		JSON.stringify({
			ts: new Date(at * 1000).toISOString(),
			agent: "m",
			event,
			window: "w",
			report: "r.md",
			...extra,
		});
	const check = (
		lines: readonly string[],
		state: "ok" | "fail" | "missing" = "ok",
	) => {
		const events = parseActionLog(lines.join("\n"), ["wrap-up", "spawn"]);
		return renderVerdict(verdictOf(newestWrapUp(events, "w"), state));
	};
	const none =
		"status=incomplete wrap_up=missing report_check=missing rocket=skipped comment=ok";
	test.each([
		["nothing", [], none],
		["another window's", [line("wrap-up", 5, { window: "w2" })], none],
		[
			"one before the newest spawn",
			[line("wrap-up", 5), line("spawn", 6)],
			none,
		],
		[
			"one in the second of the spawn",
			[line("spawn", 6), line("wrap-up", 6)],
			"status=ok wrap_up=present report_check=ok rocket=ok comment=ok",
		],
		[
			"all well",
			[line("wrap-up", 5, { rocket: "ok", comment: "ok" })],
			"status=ok wrap_up=present report_check=ok rocket=ok comment=ok",
		],
		[
			"no trigger",
			[line("wrap-up", 5, { rocket: "skipped", comment: "skipped" })],
			"status=ok wrap_up=present report_check=ok rocket=ok comment=ok",
		],
		[
			"a rocket that failed",
			[line("wrap-up", 5, { rocket: "failed" })],
			"status=incomplete wrap_up=present report_check=ok rocket=missing comment=ok",
		],
		[
			"one withheld",
			[
				line("wrap-up", 5, {
					rocket: "skipped-nothing-published",
					comment: "nothing-published",
				}),
			],
			"status=incomplete wrap_up=present report_check=ok rocket=withheld comment=unpublished",
		],
		[
			"a word nobody knows",
			[line("wrap-up", 5, { rocket: "maybe" })],
			"status=incomplete wrap_up=present report_check=ok rocket=unknown comment=ok",
		],
		[
			"a comment that failed",
			[line("wrap-up", 5, { comment: "failed" })],
			"status=incomplete wrap_up=present report_check=ok rocket=ok comment=failed",
		],
		[
			"the newest counts",
			[
				line("wrap-up", 5, { comment: "failed" }),
				line("wrap-up", 6, { comment: "ok" }),
			],
			"status=ok wrap_up=present report_check=ok rocket=ok comment=ok",
		],
	])("%s", (_, lines, verdict) => {
		expect(check(lines)).toBe(verdict);
	});
	test("a report that is incomplete or gone", () => {
		expect(check([line("wrap-up", 5)], "fail")).toContain(
			"status=incomplete wrap_up=present report_check=fail",
		);
		expect(check([line("wrap-up", 5)], "missing")).toContain(
			"report_check=missing",
		);
	});
});

describe("an earlier wrap-up of the same matter", () => {
	const matter = { issue: "1", report: "r.md", repo: "acme/hub" };
	const events = (...rows: readonly Readonly<Record<string, string>>[]) =>
		parseActionLog(
			rows
				.map((row) =>
					JSON.stringify({
						event: "wrap-up",
						...matter,
						"trigger-comment": "7",
						comment: "ok",
						"comment-url": "u",
						"asset-url": "a",
						...row,
					}),
				)
				.join("\n"),
			["wrap-up", "spawn"],
		);

	test.each([
		["the same", {}, true],
		["of the same repository in other letters", { repo: "Acme/HUB" }, true],
		["of another issue", { issue: "2" }, false],
		["of another report", { report: "r2.md" }, false],
		["of another repository", { repo: "acme/other" }, false],
		["of no known repository", { repo: "" }, false],
		["that is none", { event: "spawn" }, false],
	])("is one %s: %p", (_, row, isOne) => {
		expect(priorComment(events(row), matter)).toEqual(
			isOne ? { url: "u", assetUrl: "a" } : null,
		);
		expect(wasPublished(events(row), matter, "7")).toBe(isOne);
	});

	test("is the last that left a comment; the report's address may not be known", () => {
		const rows: readonly Readonly<Record<string, string>>[] = [
			{ "comment-url": "u1" },
			{ "comment-url": "u2", "asset-url": "" },
			{ "comment-url": "" },
		];
		expect(priorComment(events(...rows), matter)).toEqual({
			url: "u2",
			assetUrl: null,
		});
	});

	test.each([
		["ok", true],
		["edited", true],
		["updated-and-posted", true],
		["updated", false],
		["nothing-published", false],
		["failed", false],
		["", false],
	])("told the thread with the outcome %j: %p", (comment, told) => {
		const rows = events({ comment: "failed" }, { comment });
		expect(wasPublished(rows, matter, "7")).toBe(told);
		expect(wasPublished(rows, matter, "8")).toBe(false);
	});
});

test("a window is retained for a reason and an issue", () => {
	expect(retainEvent("w", "why", "3")).toEqual({
		agent: "monitor",
		event: "window-retain",
		extras: [
			["window", "w"],
			["reason", "why"],
			["issue", "3"],
		],
	});
});

describe("what a wrap-up says (contract 05 §8.5, §8.6)", () => {
	const WELL: Result = {
		issue: "3",
		report: "r.md",
		trigger: null,
		upload: { kind: "ok", url: "U" },
		comment: { outcome: "ok", url: "C" },
		rocket: { outcome: "skipped" },
		review: { kind: "none" },
		log: { kind: "ok" },
		retain: { kind: "skipped" },
	};
	const LOGGED = "logged action: wrap-up issue=3 report=r.md";
	const FAILED = "ng wrap-up: partial failure — retry the failed steps:";
	const WAYS = [
		"  running it again unchanged changes nothing; one of these does:",
		"  rewrite the opening of the report's Summary; pass --comment-body-file; say it on the thread with ng reply",
	];

	test.each<
		readonly [
			string,
			Partial<Result>,
			readonly string[],
			number,
			readonly string[],
		]
	>([
		["all well", {}, ["uploaded: U", "posted comment: C", LOGGED], 0, []],
		[
			"no upload",
			{
				trigger: "7",
				upload: { kind: "failed", why: "full" },
				comment: { outcome: "skipped", because: "upload" },
				rocket: { outcome: "ok" },
			},
			[
				"uploaded: FAILED",
				"posted comment: SKIPPED (upload failed)",
				"rocketed comment 7",
				LOGGED,
			],
			1,
			[FAILED, "  upload: full"],
		],
		[
			"every step failed",
			{
				trigger: "7",
				upload: { kind: "failed", why: "a" },
				comment: { outcome: "failed", url: null },
				rocket: { outcome: "failed", why: "c" },
				review: { kind: "failed", why: "e" },
				log: { kind: "failed", why: "d" },
				retain: { kind: "failed", why: "f" },
			},
			[
				"uploaded: FAILED",
				"posted comment: FAILED",
				"rocketed comment 7: FAILED",
				"logged action: FAILED",
				"retained window: FAILED",
				"review: FAILED",
			],
			1,
			[
				FAILED,
				"  upload: a",
				"  comment: not posted",
				"  rocket: c",
				"  log: d",
				"  review: e",
				"window not retained: f",
			],
		],
		[
			"the comment alone failed",
			{ comment: { outcome: "failed", url: null, why: "b" } },
			["uploaded: U", "posted comment: FAILED", LOGGED],
			1,
			[FAILED, "  comment: b"],
		],
		[
			"no comment was wanted; the window stays, and a reviewer was asked for",
			{
				comment: { outcome: "skipped", because: "flag" },
				retain: { kind: "ok", window: "w", reason: "why" },
				review: { kind: "ok", line: "asked for", fields: [] },
			},
			[
				"uploaded: U",
				"posted comment: SKIPPED (--no-comment)",
				LOGGED,
				"retained window: w (reason=why; ttl=monitor.retain_ttl_seconds)",
				"review: asked for",
			],
			0,
			[],
		],
		[
			"nothing new to say",
			{
				trigger: "7",
				comment: { outcome: "nothing-published", url: "C" },
				rocket: { outcome: "skipped-nothing-published" },
				retain: { kind: "failed", why: "f" },
			},
			[
				"uploaded: U",
				"posted comment: NOTHING PUBLISHED (only the link of C was brought up to date)",
				"rocketed comment 7: SKIPPED (nothing was published — the trigger stays open)",
				LOGGED,
				"retained window: FAILED",
			],
			3,
			[
				"ng wrap-up: nothing reached the thread: the comment says already what it would say; only its link was brought up to date",
				...WAYS,
				"window not retained: f",
			],
		],
		[
			"a summary that says nothing",
			{ comment: { outcome: "degenerate-teaser" } },
			[
				"uploaded: U",
				"posted comment: NOTHING PUBLISHED (the Summary's opening says nothing)",
				LOGGED,
			],
			3,
			[
				"ng wrap-up: nothing reached the thread: the Summary's opening says nothing that could be quoted",
				...WAYS,
			],
		],
		[
			"only the retaining failed",
			{ retain: { kind: "failed", why: "f" } },
			["uploaded: U", "posted comment: C", LOGGED, "retained window: FAILED"],
			0,
			["window not retained: f"],
		],
		...(
			[
				["updated", "unchanged C (it says this already)"],
				["edited", "EDITED C (the report's words have changed)"],
				[
					"updated-and-posted",
					"NEW C (the earlier comment links the new report, too)",
				],
			] as const
		).map(
			([outcome, words]) =>
				[
					outcome,
					{ comment: { outcome, url: "C" } },
					["uploaded: U", `posted comment: ${words}`, LOGGED],
					0,
					[],
				] as const,
		),
	])("%s", (_, part, out, rc, err) => {
		const result = { ...WELL, ...part };
		expect(renderSummary(result)).toEqual([...out]);
		expect(exitFor(result)).toBe(rc as 0);
		expect(renderTrouble(result)).toEqual([...err]);
	});
});
