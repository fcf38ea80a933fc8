import { beforeEach, describe, expect, test } from "bun:test";
import {
	armBackoff,
	decideBackoff,
	passBackoff,
} from "../../monitor/_github/backoff.ts";
import {
	noteFailure,
	noteSuccess,
	searchFailed,
	searchSucceeded,
} from "../../monitor/_github/degraded.ts";
import { failure } from "../../monitor/_github/errors.ts";
import { renderBlock } from "../../monitor/_state/emit-blocks.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const NOW = 1_785_000_000;
const YEAR = 365 * 86_400;
const LIMITS = { ceilingSeconds: 900, announceSeconds: 300 };
let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors({ now: NOW });
	doors.files.seedDir("/s");
});
const rows = () =>
	doors.files.has("/s/watcher-alerts.log")
		? doors.files
				.text("/s/watcher-alerts.log")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => line.replace(/^\[[^\]]*\] /, ""))
		: [];
const headers = (blocks: readonly { readonly kind: string }[]) =>
	blocks.map((block) => renderBlock(block as never).split("\n")[0]);

describe("a hold", () => {
	test.each([
		["that has not ended keeps its surface shut", NOW + 600, 0, "closed"],
		["is over half a minute after the reset", NOW + 600, 630, "open"],
		["and not before", NOW + 600, 629, "closed"],
		["of a year is shut", NOW + YEAR, 0, "closed"],
		["of a year is shut until the ceiling", NOW + YEAR, 899, "closed"],
		["of a year ends at the ceiling", NOW + YEAR, 900, "open"],
		["that was armed long ago is not believed", NOW + 6600, 5000, "open"],
		["that will be armed tomorrow is not believed", NOW + 600, -10, "open"],
	])("%s", (_name, reset, later, kind) => {
		const decided = decideBackoff(
			{ reset, armed: NOW },
			false,
			NOW + later,
			LIMITS,
		);
		expect(decided.kind).toBe(kind as "open");
	});

	const pass = (limits = LIMITS) =>
		passBackoff(doors, "/s", "mentions", limits);
	const FILE = "/s/graphql-backoff-mentions";

	test.each([
		["not-an-epoch\n", "malformed_reset"],
		["", "malformed_reset"],
		[`${NOW + 600}\n${NOW - 5000}\n`, "ceiling"],
		[`${NOW + 600}\n${NOW + 50}\n`, "ceiling"],
	])("in a file that says %p opens, and a row says why", (text, reason) => {
		doors.files.seed(FILE, text);
		doors.files.seed("/s/graphql-alert-emitted-mentions-1", "");
		doors.files.seed("/s/graphql-backoff-announced-mentions", "1");
		const neighbour = "/s/graphql-alert-emitted-bot_mentions-1";
		doors.files.seed(neighbour, "");
		expect(pass()).toEqual({ open: true, alerts: [] });
		expect(doors.files.has(neighbour)).toBe(true);
		doors.files.remove(neighbour);
		expect(rows()[0]).toStartWith(
			`WARN mentions graphql_backoff_reconciled reason=${reason} `,
		);
		expect(doors.files.paths("/s")).toEqual(["/s/watcher-alerts.log"]);
	});

	test("that is simply over opens without a word", () => {
		doors.files.seed(FILE, `${NOW - 40}\n${NOW - 100}\n`);
		expect(pass().open).toBe(true);
		expect(rows()).toEqual([]);
		expect(doors.files.has(FILE)).toBe(false);
	});

	test("in a file of an older writer counts from the file's own time", () => {
		doors.files.seed(FILE, `${NOW + YEAR}\n`, { mtime: NOW - 1000 });
		expect(pass().open).toBe(true);
	});

	test("is announced from the second on that is set for it", () => {
		const announces = (later: number) =>
			decideBackoff(
				{ reset: NOW + 800, armed: NOW },
				false,
				NOW + later,
				LIMITS,
			);
		expect(announces(299)).toEqual({ kind: "closed", announce: false });
		expect(announces(300)).toEqual({ kind: "closed", announce: true });
	});

	test("is announced once, when it has lasted", () => {
		const limits = { ceilingSeconds: 3600, announceSeconds: 300 };
		doors.files.seed(FILE, `${NOW + 3000}\n${NOW}\n`);
		doors.clock.stall(299_000);
		expect(pass(limits)).toEqual({ open: false, alerts: [] });
		doors.clock.stall(2_000);
		const { open, alerts } = pass(limits);
		expect(open).toBe(false);
		expect(headers(alerts)).toEqual([
			"watcher_alert=graphql-backoff surface=mentions held_s=301 ceiling_s=3600",
		]);
		doors.clock.stall(60_000);
		expect(pass(limits)).toEqual({ open: false, alerts: [] });
		expect(rows()).toEqual([
			`WARN mentions graphql_backoff_suppressing armed=${NOW} reset=${NOW + 3000} ceiling=3600`,
		]);
	});

	const arm = (resetAt: number, until: number | null = null) =>
		armBackoff(
			doors,
			"/s",
			"mentions",
			failure("rate_primary", { remaining: 0, resetAt, until }),
			LIMITS,
		);

	test("follows the reset that GitHub names, and tells each reset once", () => {
		expect(headers(arm(NOW + 300))).toEqual([
			`watcher_alert=rate-limit surface=mentions reset=${NOW + 300}`,
		]);
		expect(arm(NOW + 300)).toEqual([]);
		expect(doors.files.text(FILE)).toBe(`${NOW + 300}\n${NOW}\n`);
		expect(rows()).toEqual([
			`WARN mentions graphql_rate_limit reset=${NOW + 300} reset_iso=${doors.clock.iso(NOW + 300)}`,
		]);
		// Others of the group read it, and nobody but us writes it.
		expect(doors.files.stat("/s/watcher-alerts.log")).toMatchObject({
			stat: { mode: 0o640 },
		});
	});

	test("is cut at the ceiling, with a row", () => {
		arm(NOW + YEAR);
		expect(doors.files.text(FILE)).toBe(`${NOW + 900}\n${NOW}\n`);
		expect(rows()[0]).toBe(
			`WARN mentions graphql_backoff_clamped api_reset=${NOW + YEAR} clamped_to=${NOW + 900} ceiling=900`,
		);
	});

	test("never ends in the past", () => {
		arm(NOW - 50);
		expect(doors.files.text(FILE)).toBe(`${NOW}\n${NOW}\n`);
	});

	test("of a secondary limit ends with the pause of everybody's", () => {
		arm(NOW + 800, NOW + 60);
		expect(doors.files.text(FILE)).toBe(`${NOW + 60}\n${NOW}\n`);
	});
});

describe("a search that keeps failing", () => {
	const limits = { escalateSeconds: 1800, remindSeconds: 900 };
	const fail = (loss: "total" | "partial" | "truncated" = "total") =>
		headers(searchFailed(doors, "/s", "new_issues", loss, limits));

	test("is told after half an hour, and then every quarter", () => {
		const told: unknown[] = [];
		for (let at = 0; at <= 3000; at += 600) {
			for (const header of fail()) told.push([at, header]);
			doors.clock.stall(600_000);
		}
		const alert = "watcher_alert=ingest-degraded surface=new_issues kind=total";
		expect(told).toEqual([
			[1800, `${alert} held_s=1800 failures=4`],
			[3000, `${alert} held_s=3000 failures=6`],
		]);
		expect(rows()[0]).toBe(
			"WARN new_issues graphql_degraded_escalated kind=total held_s=1800 consecutive_failures=4",
		);
		expect(headers(searchSucceeded(doors, "/s", "new_issues"))).toEqual([
			"watcher_alert=ingest-recovered surface=new_issues",
		]);
		expect(rows().at(-1)).toBe(
			"INFO new_issues graphql_degraded_recovered after_s=3600 failures=6",
		);
		expect(doors.files.has("/s/graphql-degraded-new_issues")).toBe(false);
	});

	test("once, and then works, is told to nobody", () => {
		expect(fail()).toEqual([]);
		expect(searchSucceeded(doors, "/s", "new_issues")).toEqual([]);
		expect(searchSucceeded(doors, "/s", "new_issues")).toEqual([]);
		expect(rows()).toEqual([]);
	});

	test("says what is missing, by how it fails", () => {
		doors.files.seed(
			"/s/graphql-degraded-new_issues",
			`first=${NOW - 1800}\ncount=3\nannounced=0\n`,
		);
		expect(fail("partial")[0]).toContain(
			"kind=partial held_s=1800 occurrences=4",
		);
	});

	test("is told again from the second on that is set for it", () => {
		const told = (ago: number) =>
			noteFailure(
				{ first: NOW - 3000, count: 5, announced: NOW - ago },
				NOW,
				limits,
			).alert !== null;
		expect([told(899), told(900)]).toEqual([false, true]);
	});

	test.each([
		"",
		`first=${NOW - 9000}\ncount=9\n`,
		`first=x\ncount=9\nannounced=0\n`,
		`first=${NOW - 9000}\nannounced=0\n`,
	])("whose record is damaged (%j) begins now", (text) => {
		doors.files.seed("/s/graphql-degraded-new_issues", text);
		expect(fail()).toEqual([]);
		expect(doors.files.text("/s/graphql-degraded-new_issues")).toBe(
			`first=${NOW}\ncount=1\nannounced=0\n`,
		);
		expect(rows()[0]).toContain("is damaged");
	});

	test("at once when no window is set, and whatever the clock does", () => {
		const none = { escalateSeconds: 0, remindSeconds: 900 };
		expect(noteFailure(null, NOW, none).alert).toEqual({ heldSeconds: 0 });
		const ahead = { first: NOW + 50, count: 3, announced: 0 };
		expect(noteFailure(ahead, NOW, limits).next.first).toBe(NOW);
		expect(noteSuccess({ ...ahead, announced: NOW }, NOW)).toEqual({
			heldSeconds: 0,
			failures: 3,
		});
	});
});

describe("every alert says what it must:", () => {
	const bodyOf = (blocks: readonly { readonly kind: string }[]) =>
		renderBlock(blocks[0] as never).split("\n")[1] ?? "";
	const limitMet = () =>
		armBackoff(
			doors,
			"/s",
			"pr_comments",
			failure("rate_primary", { remaining: 0, resetAt: NOW + 300 }),
			LIMITS,
		);
	const hold = () => {
		doors.files.seed(
			"/s/graphql-backoff-pr_comments",
			`${NOW + 800}\n${NOW}\n`,
		);
		doors.clock.stall(600_000);
		return passBackoff(doors, "/s", "pr_comments", LIMITS).alerts;
	};
	const now = { escalateSeconds: 0, remindSeconds: 0 };
	const lost = (loss: "total" | "partial" | "truncated") => () => {
		const record = `first=${NOW - 1800}\ncount=3\nannounced=${NOW - 900}\n`;
		doors.files.seed("/s/graphql-degraded-pr_comments", record);
		return searchFailed(doors, "/s", "pr_comments", loss, now);
	};
	const found = () => {
		lost("total")();
		return searchSucceeded(doors, "/s", "pr_comments");
	};
	const SIZE = "monitor.graphql.search_page_size";

	test.each([
		["rate-limit", limitMet, ["until 2026-", "eliveries go on"], [SIZE]],
		[
			"graphql-backoff",
			hold,
			["for 10 min", "not reaching this report", "opens again 15 min after"],
			[SIZE],
		],
		[
			"total",
			lost("total"),
			["30 min (4 times)", "not lost, but late"],
			[SIZE],
		],
		[
			"partial",
			lost("partial"),
			["30 min (4 times)", "dropped are missing", SIZE],
			[],
		],
		[
			"truncated",
			lost("truncated"),
			["30 min (4 times)", "unknown tail", SIZE],
			[],
		],
		["ingest-recovered", found, ["withheld surfaces now"], [SIZE]],
	])("%s", (_, make, has, hasNot) => {
		const body = bodyOf(make());
		for (const words of ["pr_comments", "watcher-alerts.log", ...has])
			expect(body).toContain(words);
		for (const words of hasNot) expect(body).not.toContain(words);
	});
});

test("a limit that is met again is announced again", () => {
	doors.files.seed("/s/graphql-backoff-announced-mentions", `${NOW - 900}\n`);
	armBackoff(
		doors,
		"/s",
		"mentions",
		failure("rate_primary", { remaining: 0, resetAt: NOW + 300 }),
		LIMITS,
	);
	expect(doors.files.has("/s/graphql-backoff-announced-mentions")).toBe(false);
});
