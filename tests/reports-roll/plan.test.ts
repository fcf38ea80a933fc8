import { describe, expect, test } from "bun:test";
import {
	monthBefore,
	planRoll,
} from "../../monitor/watcher/_reports_roll/plan.ts";
import {
	dateInFrontmatter,
	dateInName,
} from "../../monitor/watcher/_reports_roll/report-date.ts";

const TODAY = "2026-05-11";
const plan = (
	date: string | null,
	ageSeconds: number | null = 9999,
	minAge = 300,
) => planRoll([{ name: "r.md", date, ageSeconds }], TODAY, minAge);

describe("a report rolls when its month is before the last one", () => {
	test.each([
		["2026-03-31", "2026-03"],
		["2026-03-01", "2026-03"],
		["2025-12-24", "2025-12"],
		["0999-01-01", "0999-01"],
	])("%s rolls to %s", (date, month) => {
		expect(plan(date).rolls).toEqual([{ name: "r.md", month }]);
	});

	test.each([["2026-04-01"], ["2026-05-11"], ["2026-05-31"], ["2027-01-01"]])(
		"%s stays",
		(date) => {
			expect(plan(date).kept).toEqual(["r.md"]);
		},
	);

	test.each([
		[null],
		["2026-00-10"],
		["2026-13-10"],
		["2026-03-00"],
		["2026-03-32"],
	])("%s is no date, and the report stays where it is", (date) => {
		expect(plan(date).quarantined).toEqual(["r.md"]);
	});

	test.each([
		[299, 300, "inFlight"],
		[300, 300, "rolls"],
		[0, 0, "rolls"],
		[null, 300, "rolls"],
	] as const)(
		"changed %p s ago under a limit of %d s: %s",
		(age, limit, where) => {
			expect(plan("2026-01-01", age, limit)[where]).toHaveLength(1);
		},
	);

	test("the buffer is the last month and this one, over the turn of the year too", () => {
		expect(plan(null).buffer).toEqual(["2026-04", "2026-05"]);
		expect(monthBefore("2026-01")).toBe("2025-12");
		expect(
			planRoll(
				[{ name: "a", date: "2025-12-01", ageSeconds: null }],
				"2026-01-02",
				0,
			).kept,
		).toEqual(["a"]);
	});
});

test("in July 2026: May and April roll, June stays, a month 00 is no date", () => {
	const reports = [
		["p_2026-05-31_x.md", ""],
		["p_2026-06-01_x.md", ""],
		["undated.md", "---\ndate: 2026-04-02\n---\n"],
		["p_2026-00-04_x.md", ""],
	] as const;
	const files = reports.map(([name, text]) => ({
		name,
		ageSeconds: null,
		date: dateInName(name) ?? dateInFrontmatter(text),
	}));
	expect(planRoll(files, "2026-07-07", 0)).toMatchObject({
		rolls: [
			{ name: "p_2026-05-31_x.md", month: "2026-05" },
			{ name: "undated.md", month: "2026-04" },
		],
		kept: ["p_2026-06-01_x.md"],
		quarantined: ["p_2026-00-04_x.md"],
	});
});

test.each([
	["2026-03-14-report.md", "2026-03-14"],
	["report-2026-03-14-and-2026-04-01.md", "2026-03-14"],
	["report-2026-13-01-or-2026-03-14.md", "2026-13-01"],
	["report.md", null],
	["2026-3-14.md", null],
])("the name %s says %p", (name, date) => {
	expect(dateInName(name)).toBe(date);
});

test.each([
	["---\ntitle: x\ndate: 2026-03-14\n---\nbody", "2026-03-14"],
	['---\ndate: "2026-03-14"\n---\n', "2026-03-14"],
	["---\ndate: 2026-03-14T10:00:00Z\n---\n", "2026-03-14"],
	["---\ndate: yesterday\n---\n", null],
	["date: 2026-03-14\n", null],
	["---\ntitle: x\n---\ndate: 2026-03-14\n", null],
	["---\ndate: 2026-03-14\nno end of the frontmatter\n", null],
	["", null],
])("the text %j says %p", (text, date) => {
	expect(dateInFrontmatter(text)).toBe(date);
});
