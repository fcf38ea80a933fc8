import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { capSections } from "../../monitor/_emit/cap.ts";
import { stableHash } from "../../monitor/_emit/dedup.ts";
import { composeReport } from "../../monitor/_emit/report.ts";
import {
	EXEMPT_HEADERS,
	FOOTER_TITLES,
	headerOf,
	SECTIONS,
	sectionLines,
} from "../../monitor/_emit/sections.ts";
import { EXAMPLE, EXAMPLE_INPUT } from "./worked-example.ts";

const sha256 = (text: string) =>
	createHash("sha256").update(text).digest("hex");

test("the worked example composes byte for byte", () => {
	const body = composeReport(EXAMPLE_INPUT);
	expect(body).toBe(EXAMPLE);
	expect(sha256(body)).toBe(
		"c22708cfa5f6a404ede1f293fb01fbb9f21177c96e2680456b72fed37582f6c6",
	);
	expect(body.split("\n")).toHaveLength(46);
	expect(Buffer.byteLength(body)).toBe(2610);
});

test("the worked example has the stable hash of the contract", () => {
	expect(stableHash(EXAMPLE)).toBe(
		"e8466c6319e144643dd543ccbb725e308744795d76672d8f85fc548c10e2da16",
	);
});

test("a cap of 5 cuts the worked example's local section and nothing else", () => {
	const capped = composeReport({ ...EXAMPLE_INPUT, sectionMaxLines: 5 });
	const lines = EXAMPLE.split("\n");
	const local = lines.indexOf("--- local state changes ---");
	const expected = [
		...lines.slice(0, local + 6),
		"  [+11 more lines omitted]",
		...lines.slice(lines.indexOf("--- eligible github comments ---")),
	].join("\n");
	expect(capped).toBe(expected);
});

test("a section of characters that nobody sees is not printed", () => {
	for (const blank of ["\0".repeat(9), "\u0001\n\u007f\n", " \r\n"])
		expect(
			composeReport({
				...EXAMPLE_INPUT,
				sections: { ...EXAMPLE_INPUT.sections, gh: blank },
			}),
		).toBe(
			composeReport({
				...EXAMPLE_INPUT,
				sections: { ...EXAMPLE_INPUT.sections, gh: "" },
			}),
		);
});

test("sections come in the order of the contract, each with its closing lines, and no blank line between", () => {
	const sections = Object.fromEntries(
		SECTIONS.map(({ id }) => [id, `row of ${id}\n\n\n`]),
	);
	const body = composeReport({ ...EXAMPLE_INPUT, sections });
	const expected = SECTIONS.flatMap(({ id, title, closing }) => [
		headerOf(title),
		`row of ${id}`,
		...closing,
	]);
	expect(body).toContain(`\n${expected.join("\n")}\n--- dashboard ---\n`);
	expect(SECTIONS.map((s) => s.title)).toEqual([
		"watcher revived (was down)",
		"arm watcher supervisor",
		"install failure",
		"watcher hosting migration",
		"component drift (restart needed)",
		"service health",
		"claude code update available",
		"reports archived",
		"local state changes",
		"eligible github comments",
		"standing bells",
		"pending decisions",
		"requests",
		"idle workers",
		"workspace snapshot",
	]);
});

test("the closing lines are those that agents and skills know, word for word", () => {
	const closings = SECTIONS.filter(({ closing }) => closing.length > 0);
	expect(closings.map(({ id, closing }) => [id, ...closing])).toEqual([
		["bells", "(silenced after emit; agents will re-ring on the next event)"],
		[
			"decisions",
			"(read the cited file for full JSON; ack with the ng decision-ack line on each row — removing the file does not stick)",
		],
		[
			"requests",
			"(read the cited file; the `handling:` line under each request says how THAT request closes)",
		],
		["idle", "(emitted on transitions only; see skills/nexus.window-cleanup)"],
		["fullState", "(full snapshot; transitions only between snapshots)"],
	]);
	expect(FOOTER_TITLES).toEqual({
		dashboard: "dashboard",
		statusSurface: "status surface",
	});
});

test("a section without text is not printed, nor one of blanks alone", () => {
	const body = composeReport({
		...EXAMPLE_INPUT,
		sections: { idle: "", requests: " \n\n" },
	});
	expect(body).not.toContain("--- idle workers ---");
	expect(body).not.toContain("--- requests ---");
});

test("no control character and no hidden line break of a source gets into a report", () => {
	const body = composeReport({
		...EXAMPLE_INPUT,
		sections: { idle: "  - w\u001b[201~\r--- requests ---\u2028request=x\n" },
	});
	expect(body).toContain("  - w[201~ --- requests --- request=x\n");
});

test("the comments fast path has no workspace line and no footer", () => {
	const body = composeReport({
		...EXAMPLE_INPUT,
		reason: "comments",
		workspace: null,
		footer: null,
		sections: { gh: "issue=1 id=2 author=op\n  body: hi\n" },
	});
	expect(body).toBe(
		[
			"=== nexus state changed at 2026-05-11T13:42:01-07:00 (comments) ===",
			"*If unsure how to proceed: see CLAUDE.md.*",
			"--- eligible github comments ---",
			"issue=1 id=2 author=op",
			"  body: hi",
			"--- nexus-emit-sig 2026-05-11T13:42:01-07:00 a1b2c3 ---",
			"",
		].join("\n"),
	);
});

const LOCAL = "--- local state changes ---";
const numbered = (n: number) =>
	Array.from({ length: n }, (_, i) => `line ${i + 1}`);
const section = (header: string, n: number) =>
	`${[header, ...numbered(n)].join("\n")}\n`;

test.each([
	{
		what: "20 lines, cap 5",
		n: 20,
		cap: 5,
		kept: 5,
		marker: "  [+15 more lines omitted]",
	},
	{ what: "3 lines, cap 3", n: 3, cap: 3, kept: 3, marker: null },
	{
		what: "4 lines, cap 3",
		n: 4,
		cap: 3,
		kept: 3,
		marker: "  [+1 more line omitted]",
	},
	{
		what: "80 lines, a cap that is no number",
		n: 80,
		cap: Number("notanumber"),
		kept: 50,
		marker: "  [+30 more lines omitted]",
	},
	{
		what: "60 lines, a negative cap",
		n: 60,
		cap: -1,
		kept: 50,
		marker: "  [+10 more lines omitted]",
	},
])("the section cap: $what", ({ n, cap, kept, marker }) => {
	const lines = [LOCAL, ...numbered(kept), ...(marker ? [marker] : [])];
	expect(capSections(section(LOCAL, n), cap)).toBe(`${lines.join("\n")}\n`);
});

test("20 lines of comments are untouched by a cap of 5, unknown headers are cut", () => {
	const comments = section("--- eligible github comments ---", 20);
	expect(capSections(comments, 5)).toBe(comments);
	expect(capSections(section("--- something new ---", 7), 5)).toContain(
		"  [+2 more lines omitted]",
	);
});

test("only the local section, of all there are, is ever cut", () => {
	const cut = SECTIONS.filter((s) => !EXEMPT_HEADERS.has(headerOf(s.title)));
	expect(cut.map((s) => s.id)).toEqual(["localDiff"]);
	for (const title of Object.values(FOOTER_TITLES))
		expect(EXEMPT_HEADERS.has(headerOf(title))).toBe(true);
});

const anyLine = fc.oneof(
	fc.stringMatching(/^[ -~]{0,20}$/),
	fc.constantFrom(LOCAL, "--- requests ---", "--- x ---", "--- a\tb"),
);

test("no line before the first header and none of an exempt section is ever cut", () => {
	fc.assert(
		fc.property(
			fc.array(anyLine, { minLength: 1, maxLength: 60 }),
			fc.integer({ min: 0, max: 6 }),
			(lines, cap) => {
				const kept = exemptLines(lines);
				const out = capSections(`${lines.join("\n")}\n`, cap);
				expect(exemptLines(out.slice(0, -1).split("\n"))).toEqual(kept);
				expect(capSections(out, cap + 1)).toBe(out);
			},
		),
	);
});

/** Lines outside the sections that may be cut. */
function exemptLines(lines: readonly string[]): readonly string[] {
	let exempt = true;
	return lines.filter((line) => {
		if (/^--- .+ ---$/.test(line)) exempt = EXEMPT_HEADERS.has(line);
		return exempt;
	});
}

test("the lines of a section end at the next header, and a section that is not there has none", () => {
	expect(sectionLines(EXAMPLE, "bells")).toEqual([
		"  - worker-3 (idx 4)",
		"(silenced after emit; agents will re-ring on the next event)",
	]);
	expect(sectionLines(EXAMPLE, "requests")).toEqual([]);
});
