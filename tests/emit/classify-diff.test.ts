import { expect, test } from "bun:test";
import { classifyDiff } from "../../monitor/_emit/classify-diff.ts";

const diff = (...lines: string[]) => `${lines.join("\n")}\n`;
const HEADERS = [
	"--- /srv/nexus/monitor/.state/last-snapshot.txt\t2026-05-11 13:39:58",
	"+++ /tmp/x/compose-current\t2026-05-11 13:41:59",
	"@@ -1,9 +1,11 @@",
];
const GIT = [" --- git ---"];

const ROWS: [string, string[], boolean, string][] = [
	["a bell that rang", ["-w bell=0", "+w bell=1"], true, ""],
	[
		"git rows without any header",
		["-p abc123 clean", "+p def456 clean"],
		false,
		"2 git-section update(s)",
	],
	[
		"a clone without a commit",
		["+p none dirty"],
		false,
		"1 git-section update(s)",
	],
	[
		"a git row and a new report",
		["+p def456 clean", "+x_2026-05-06_120000_t.md"],
		true,
		"1 git-section update(s)",
	],
	["an interim report", ["+x-interim-2.md"], false, "1 interim report(s)"],
	[
		"an interim report with a number",
		["+x-interim.md 12"],
		false,
		"1 interim report(s)",
	],
	["a report with a number", ["+x.md 12"], true, ""],
	[
		"a failed git listing under its header",
		[...GIT, "+(git listing unavailable: scan exceeded budget)"],
		false,
		"1 git-section update(s)",
	],
	[
		"a failed git listing with no section",
		["+(git listing unavailable: scan exceeded budget)"],
		true,
		"",
	],
	["a report name under the git header", [...GIT, "+x.md"], true, ""],
	[
		"an odd clone name under the git header",
		[...GIT, "+my clone abc clean"],
		false,
		"1 git-section update(s)",
	],
	[
		"odd text under the tmux header, after the git one",
		[...GIT, " --- tmux ---", "+???"],
		true,
		"",
	],
	[
		"the count of reports",
		[" --- reports ---", "-reports-total: 2 (top-level only)"],
		true,
		"",
	],
	[
		"git and interim together",
		["+p a1 clean", "+x-interim.md", "+y-interim.md"],
		false,
		"1 git-section update(s), 2 interim report(s)",
	],
	["context alone", [" w bell=0", " x.md"], false, ""],
];

test.each(ROWS)("%s", (_name, lines, signal, summary) => {
	expect(classifyDiff(diff(...HEADERS, ...lines))).toEqual({ signal, summary });
});

test.each(ROWS)("without file headers: %s", (_name, lines, signal, summary) => {
	expect(classifyDiff(diff(...lines))).toEqual({ signal, summary });
});

test("a diff that could not be read is a signal, an empty one is not", () => {
	expect(classifyDiff(null).signal).toBe(true);
	expect(classifyDiff("")).toEqual({ signal: false, summary: "" });
});

test("file headers are no change, with or without a tab", () => {
	expect(classifyDiff(diff(...HEADERS)).signal).toBe(false);
	expect(classifyDiff(diff("--- a", "+++ b", "@@ -1 +1 @@")).signal).toBe(
		false,
	);
	expect(classifyDiff(diff("diff -u a b", "index 1..2")).signal).toBe(false);
});

test("a window whose name starts with dashes does not pass for a file header", () => {
	expect(classifyDiff(diff(...HEADERS, "--- x bell=1")).signal).toBe(true);
});
