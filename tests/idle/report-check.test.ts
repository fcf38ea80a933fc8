import { describe, expect, test } from "bun:test";
import { checkReport } from "../../monitor/_state/report.ts";

const FIELDS = [
	"---",
	"project: nexus",
	"date: 2026-05-11",
	"session-id: 0b9f1c52-6a3e-4c1d-9f55-0d7c2a1b3e44",
	"window: w1",
	"trigger: #12",
	"status: completed",
	"---",
];
const SECTIONS = [
	"",
	"# a-report",
	"",
	"## Summary",
	"",
	"Done.",
	"",
	"## What Was Done",
	"",
	"All of it.",
	"",
	"## Current State",
	"",
	"Green.",
	"",
	"## What Remains",
	"",
	"Nothing.",
	"",
	"## How to Resume",
	"",
];

/** A valid report with a body of 980 bytes. */
function baseline(): string {
	const head = `${FIELDS.join("\n")}\n`;
	const body = `${SECTIONS.join("\n")}\n`;
	return `${head}${body}${"x".repeat(980 - body.length - 1)}\n`;
}
const check = (text: string, minBytes = 500) => checkReport(text, { minBytes });
const SECTION_ITEMS = [
	"section: ## Summary",
	"section: ## What Was Done",
	"section: ## Current State",
	"section: ## What Remains",
	"section: ## How to Resume",
];
const NO_FENCE = "frontmatter: file must start with a '---' line";
const UNFINISHED = ["TO", "DO"].join("");
const UNFINISHED_ITEM = `placeholder text: ${UNFINISHED}/FIX${"ME"} present (pass --allow-todo to skip)`;

test("a complete report has no problems, and its body is counted in bytes", () => {
	expect(check(baseline())).toEqual({ bodyBytes: 980, problems: [] });
	const wide = baseline().replace("Done.", "Dôné.");
	expect(check(wide).bodyBytes).toBe(982);
});

describe("an edit of the baseline", () => {
	const rows: [string, (text: string) => string, readonly string[]][] = [
		[
			"a blank behind a heading",
			(t) => t.replace("## Summary\n", "## Summary \n"),
			["section: ## Summary"],
		],
		[
			"no blank behind `status:`",
			(t) => t.replace("status: completed", "status:completed"),
			["frontmatter field: status"],
		],
		[
			"a comment behind the status",
			(t) => t.replace("status: completed", "status: completed # done"),
			[
				"frontmatter field: status (must be completed|partial|blocked, got 'completed#done')",
			],
		],
		[
			"a status of one's own",
			(t) => t.replace("status: completed", "status: half-done"),
			[
				"frontmatter field: status (must be completed|partial|blocked, got 'half-done')",
			],
		],
		["a blank line before the fence", (t) => `\n${t}`, [NO_FENCE]],
		[
			"a blank behind the fence",
			(t) => t.replace("---\n", "--- \n"),
			[NO_FENCE],
		],
		[
			"no closing fence",
			(t) => t.replace("status: completed\n---\n", "status: completed\n"),
			["body too short: 0 < 500 chars"],
		],
		[
			"an unfinished word in code ticks",
			(t) => t.replace("Green.", `\`${UNFINISHED}\``),
			[UNFINISHED_ITEM],
		],
		[
			"words that merely hold it",
			(t) => t.replace("Green.", `${UNFINISHED}s ME${UNFINISHED} todo`),
			[],
		],
		["an unset window", (t) => t.replace("window: w1", "window: <unset>"), []],
		[
			"an empty file",
			() => "",
			[NO_FENCE, ...SECTION_ITEMS, "body too short: 0 < 500 chars"],
		],
		[
			"carriage returns",
			(t) => t.replaceAll("\n", "\r\n"),
			[NO_FENCE, ...SECTION_ITEMS],
		],
		[
			"no session",
			(t) => t.replace(/session-id: .*/, "session-id: unknown"),
			[
				"frontmatter field: session-id (resolved to 'unknown'; set explicitly or fix capture)",
			],
		],
		[
			"empty frontmatter",
			(t) => t.replace(/^---\n(?:.*\n)*?---\n/, "---\n---\n"),
			["project", "date", "session-id", "status"].map(
				(key) => `frontmatter field: ${key}`,
			),
		],
		[
			"every placeholder",
			(t) => t.replace("Green.", `_(later)_ _(fill in)_ <...> FIX${"ME"}`),
			[
				UNFINISHED_ITEM,
				"placeholder text: '<...>' present (pass --allow-todo to skip)",
				"placeholder text: '_(fill in)_' from skeleton present (pass --allow-todo to skip)",
				"placeholder text: '_(later)_' present (pass --allow-todo to skip)",
			],
		],
		["further fields", (t) => t.replace("trigger: #12", "disposition: 7"), []],
	];
	test.each(rows)("%s", (_name, edit, problems) => {
		expect(check(edit(baseline())).problems).toEqual(problems);
	});
});

test("the least length is the caller's", () => {
	expect(check(baseline(), 2000).problems).toEqual([
		"body too short: 980 < 2000 chars",
	]);
});

test("placeholders may be allowed, and nothing else is", () => {
	const text = baseline()
		.replace("Green.", `${UNFINISHED} <...> _(fill in)_ _(later)_`)
		.replace("status: completed", "status: odd");
	const { problems } = checkReport(text, {
		minBytes: 500,
		allowPlaceholders: true,
	});
	expect(problems).toEqual([
		"frontmatter field: status (must be completed|partial|blocked, got 'odd')",
	]);
});
