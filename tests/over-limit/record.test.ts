import { describe, expect, test } from "bun:test";
import {
	type LimitRow,
	limitKey,
	parseLimitRow,
	renderLimitRow,
} from "../../monitor/_state/over-limit-state.ts";
import {
	duration,
	orchestratorBrief,
	tokenWords,
	workerBrief,
} from "../../monitor/watcher/_over_limit/briefs.ts";
import {
	type AfterLook,
	afterLook,
	backedOff,
	beforeLook,
	type LimitLook,
} from "../../monitor/watcher/_over_limit/decide.ts";
import {
	orchestratorPaused,
	suppressionAlert,
} from "../../monitor/watcher/_over_limit/gate.ts";
import {
	type RecordFacts,
	recordLimit,
} from "../../monitor/watcher/_over_limit/record.ts";
import { limitSettings } from "../../monitor/watcher/_over_limit/settings.ts";
import { watcherConfig } from "../watcher/watcher-rig.ts";

const N = 1_785_261_600;
const SETTINGS = limitSettings(watcherConfig());
const FACTS: RecordFacts = {
	now: N,
	resumedAt: null,
	wakeMarginSeconds: 300,
	resumeSuppressionSeconds: 300,
};
const SEEN = { window: "w1", role: "worker", token: "midnight_UTC" } as const;
const MIDNIGHT = 1_785_283_200;
const ROW: LimitRow = {
	...SEEN,
	key: "w1",
	resetAt: MIDNIGHT,
	firstSeen: N,
	nextAttempt: MIDNIGHT + 300,
	attempts: 0,
};

function recorded(
	prev: LimitRow | null,
	seen: Partial<typeof SEEN> | { readonly token: string } = {},
	facts: Partial<RecordFacts> = {},
): LimitRow | "suppressed" {
	const done = recordLimit(prev, { ...SEEN, ...seen }, { ...FACTS, ...facts });
	return done.kind === "row" ? done.row : done.kind;
}

describe("a sighting of a limit", () => {
	test("makes a row that is due after its reset and a margin", () => {
		expect(recorded(null)).toEqual(ROW);
	});

	test("with a reset in the past is due after the margin", () => {
		const row = recorded(null, { token: "Jul_28_at_5pm_UTC" });
		expect(row).toMatchObject({ resetAt: N - 3600, nextAttempt: N + 300 });
	});

	test("with words that nobody understands schedules a guess", () => {
		const row = recorded(null, { token: "banana_UTC" });
		expect(row).toMatchObject({ token: "banana_UTC", resetAt: N + 21600 });
	});

	test("with the same words keeps everything, also at the moment it comes due", () => {
		const tried = { ...ROW, attempts: 2, nextAttempt: MIDNIGHT + 400 };
		expect(recorded(tried, {}, { now: MIDNIGHT + 350 })).toBe(tried);
	});

	test("heals a reset that was rolled forward", () => {
		const rolled = {
			...ROW,
			resetAt: MIDNIGHT + 86400,
			nextAttempt: MIDNIGHT + 86700,
		};
		expect(recorded(rolled, {}, { now: N + 60 })).toEqual(ROW);
	});

	test("heals it after it came due without another wait", () => {
		const rolled = { ...ROW, resetAt: MIDNIGHT + 86400, nextAttempt: 7 };
		expect(recorded(rolled, {}, { now: MIDNIGHT + 400 })).toEqual({
			...ROW,
			nextAttempt: 7,
		});
	});

	test("with other words works it out anew, and keeps since when", () => {
		const row = recorded(
			{ ...ROW, attempts: 3 },
			{ token: "11pm_UTC" },
			{ now: N + 600 },
		);
		expect(row).toMatchObject({
			firstSeen: N,
			attempts: 3,
			resetAt: MIDNIGHT - 3600,
		});
	});

	test.each([
		[299, "suppressed"],
		[300, "suppressed"],
		[301, "row"],
		[-10, "row"],
	] as const)("%d s after the pane was seen to go on: %s", (ago, kind) => {
		const row = recorded(null, {}, { resumedAt: N - ago });
		expect(row === "suppressed" ? row : "row").toBe(kind);
	});

	test("of a pane that is held already is never suppressed", () => {
		expect(recorded(ROW, {}, { resumedAt: N - 10 })).toBe(ROW);
	});
});

describe("a row of the file", () => {
	test("has eight columns and comes back as it was", () => {
		const line = renderLimitRow(ROW);
		expect(line).toBe(
			`w1\tw1\tworker\tmidnight_UTC\t${MIDNIGHT}\t${N}\t${MIDNIGHT + 300}\t0`,
		);
		expect(parseLimitRow(line)).toEqual(ROW);
	});
	test.each([
		["seven columns", "w1\tw1\tworker\tx\t1\t2\t3"],
		["nine columns", "w1\tw1\tworker\tx\t1\t2\t3\t4\t5"],
		["a strange role", "w1\tw1\tboss\tx\t1\t2\t3\t4"],
		["no number", "w1\tw1\tworker\tx\tsoon\t2\t3\t4"],
		["nothing", ""],
	])("with %s is none", (_what, line) => {
		expect(parseLimitRow(line)).toBeNull();
	});
	test("is keyed by the window, the orchestrator's by its role", () => {
		expect(limitKey("fix-ü.2", "worker")).toBe("fix-__2");
		expect(limitKey("anything", "orchestrator")).toBe("_orchestrator");
	});
});

describe("what becomes of a held pane", () => {
	test.each([
		["not due", { nextAttempt: N + 1 }, N, "leave"],
		["due", { nextAttempt: N }, N, "look"],
		[
			"held longer than its known reset allows",
			{},
			MIDNIGHT + 86400,
			"fail-open",
		],
		[
			"an hour and the margin past its known reset, six days ahead",
			{
				token: "Aug_3_at_6pm_UTC",
				resetAt: N + 6 * 86400,
				nextAttempt: N + 9 * 86400,
			},
			N + 6 * 86400 + 3900,
			"leave",
		],
		[
			"a second more",
			{
				token: "Aug_3_at_6pm_UTC",
				resetAt: N + 6 * 86400,
				nextAttempt: N + 9 * 86400,
			},
			N + 6 * 86400 + 3901,
			"fail-open",
		],
		[
			"reset known six days ahead: no fail-open before",
			{
				token: "Aug_3_at_6pm_UTC",
				resetAt: N + 6 * 86400,
				nextAttempt: N + 6 * 86400 + 300,
			},
			N + 6 * 86400,
			"leave",
		],
		[
			"the same, due after its margin",
			{
				token: "Aug_3_at_6pm_UTC",
				resetAt: N + 6 * 86400,
				nextAttempt: N + 6 * 86400 + 300,
			},
			N + 6 * 86400 + 300,
			"look",
		],
		[
			"reset unknown, after 25 hours",
			{ token: "unknown", resetAt: N + 21600, nextAttempt: N + 200_000 },
			N + 90_001,
			"fail-open",
		],
		[
			"reset unknown, before",
			{ token: "unknown", resetAt: N + 21600, nextAttempt: N + 200_000 },
			N + 90_000,
			"leave",
		],
	] as const)("%s", (_what, part, now, step) => {
		expect(beforeLook({ ...ROW, ...part }, now, SETTINGS)).toBe(step);
	});

	test.each<[LimitLook, AfterLook["kind"]]>([
		["window-unknown", "leave"],
		["window-absent", "drop"],
		["absent", "drop"],
		["blocked", "drop"],
		["unreadable", "retry"],
		["idle", "resume"],
		["autosuggest-only", "resume"],
		["empty", "resume"],
		["busy", "resume"],
		["user-typing", "resume"],
		["working-background", "resume"],
		["working-self-paced", "resume"],
		["idle-orphan-async", "resume"],
		["over-limit", "retry"],
		["unknown", "retry"],
	])("%s: %s", (look, kind) => {
		expect(afterLook(ROW, look, N, SETTINGS).kind).toBe(kind);
	});

	test("still over its limit: the attempt counts, the next is a minute away, doubling up to five", () => {
		const delays = [0, 1, 2, 3, 4].map((attempts) => {
			const step = afterLook({ ...ROW, attempts }, "over-limit", N, {
				...SETTINGS,
				maxAttempts: 20,
			});
			return step.kind === "retry"
				? [step.row.attempts, step.row.nextAttempt - N]
				: step.kind;
		});
		expect(delays).toEqual([
			[1, 60],
			[2, 120],
			[3, 240],
			[4, 300],
			[5, 300],
		]);
	});

	test("after its last attempt it is told all the same", () => {
		expect(
			afterLook({ ...ROW, attempts: 3 }, "over-limit", N, SETTINGS).kind,
		).toBe("fail-open");
	});

	test("that cannot be read is looked at again, and no attempt counts", () => {
		expect(backedOff(ROW, N, SETTINGS)).toEqual({
			...ROW,
			nextAttempt: N + 60,
		});
	});
});

describe("reports are held", () => {
	test.each([
		["a row, seen a minute ago", ROW, N - 60, true],
		["a row, seen ten minutes ago", ROW, N - 600, true],
		[
			"a row, seen longer ago: a row alone is a prediction",
			ROW,
			N - 601,
			false,
		],
		["a row that was never seen", ROW, null, false],
		["a row that was seen tomorrow", ROW, N + 86400, false],
		["no row", null, N, false],
	])("%s", (_what, row, seenAt, paused) => {
		expect(orchestratorPaused(row, seenAt, N, 600)).toBe(paused);
	});

	test.each<[string, number, number | null, "began" | "reminder" | null]>([
		["too short to speak of", 899, null, null],
		["for a quarter of an hour", 900, null, "began"],
		["told already", 1800, 900, null],
		["told by a clock that was set back since", 1800, 1801, "began"],
		["told this second", 1800, 1800, null],
		["an hour after it was told", 4500, 900, "reminder"],
	])("%s", (_what, age, alertedAgo, alert) => {
		const now = N + age;
		const alertedAt = alertedAgo === null ? null : N + alertedAgo;
		expect(suppressionAlert({ since: N, alertedAt }, now, SETTINGS)).toBe(
			alert,
		);
		expect(
			suppressionAlert({ since: N, alertedAt }, now, {
				...SETTINGS,
				alertAfter: 0,
			}),
		).toBeNull();
	});
});

describe("words", () => {
	test.each([
		["Aug_1_at_7pm_Asia/Tokyo", "Aug 1 at 7pm (Asia/Tokyo)"],
		["3am_America/Los_Angeles", "3am (America/Los_Angeles)"],
		["midnight_UTC", "midnight (UTC)"],
		[
			"10pm_America/Argentina/Buenos_Aires",
			"10pm (America/Argentina/Buenos_Aires)",
		],
		["8am_Etc/GMT-9", "8am (Etc/GMT-9)"],
		["11pm", "11pm"],
		["1785600000", "1785600000"],
		["3am_PT", "3am PT"],
	])("%s is told as %s", (token, words) => {
		expect(tokenWords(token)).toBe(words);
	});

	test("a length of time", () => {
		expect(duration(5 * 3600 + 3 * 60 + 9)).toBe("5h 03m 09s");
	});

	test("the orchestrator is told the newest ten of what was held, and until when", () => {
		const held = Array.from({ length: 12 }, (_, i) => ({
			...{ iso: "t", archive: `a${i}.md`, reason: "poll" },
		}));
		const told = (row: LimitRow, now: number, workers: readonly string[]) =>
			orchestratorBrief({
				...{ row, held, workers, now, stateDir: "/s" },
				iso: (at) => `@${at}`,
			});
		const known = told(ROW, MIDNIGHT + 300, []);
		expect(known).toContain(
			`12 report(s) were held, from @${N} until @${MIDNIGHT} (6h 00m 00s).\n- a2.md\n`,
		);
		expect(known).toContain("- a11.md\n");
		expect(known).toContain("No worker was over its limit");
		// A guess is no fact: it was held until now.
		const guessed = told({ ...ROW, token: "3am_PT" }, N + 60, ["w1", "w2"]);
		expect(guessed).toContain(`until @${N + 60} (0h 01m 00s)`);
		expect(guessed).toContain('its reset was not understood: "3am PT"');
		expect(guessed).toContain("Workers still over their limit: w1, w2\n");
	});

	test("a worker is told a reset that is known; one that is not is a probe, in the pane's own words", () => {
		expect(workerBrief(ROW, null)).toContain(
			"was reported to reset at midnight (UTC)",
		);
		const probe = workerBrief({ ...ROW, token: "3am_PT" }, "resets 3am PT");
		expect(probe).toContain("probe");
		expect(probe).toContain('"resets 3am PT"');
		for (const brief of [probe, workerBrief(ROW, null)]) {
			expect(brief).not.toContain("\n");
			expect(brief).not.toMatch(/opus|sonnet|haiku|weekly/i);
		}
	});
});
