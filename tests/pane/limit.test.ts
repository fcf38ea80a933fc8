import { describe, expect, test } from "bun:test";
import { parseLine } from "../../monitor/_pane/line.ts";
import { resetToken } from "../../monitor/_state/reset-words.ts";
import { judgeScreen } from "./fixtures.ts";

const RULE = "─".repeat(80);
const BOX = [
	RULE,
	"❯\u00a0",
	RULE,
	"  ⏵⏵ bypass permissions on (shift+tab to cycle)",
];
const ZONE = "(America/Los_Angeles)";

const read = (...rows: string[]) => {
	const { line } = judgeScreen([...rows, "", ...BOX].join("\n"));
	const reading = parseLine(line);
	return {
		state: reading?.state,
		reset: reading?.get("reset_at") ?? null,
		limit: reading?.get("limit") ?? null,
	};
};

describe("a usage-limit notice is read where Claude Code puts it", () => {
	const cases: readonly (readonly [
		rows: readonly string[],
		reset: string,
		limit: string,
	])[] = [
		[
			[`You've hit your limit · resets 3am ${ZONE}`],
			"3am_America/Los_Angeles",
			"unknown",
		],
		[
			[`You’ve reached your weekly limit · resets 3am ${ZONE}`],
			"3am_America/Los_Angeles",
			"weekly",
		],
		[
			[
				"You've hit your 5-hour limit ∙ Resets Jan 12, 10:59am (America/New_York)",
			],
			"Jan_12,_10:59am_America/New_York",
			"5-hour",
		],
		[
			[
				"You've hit your weekly Opus limit. It resets Aug 1 at 7pm (Asia/Tokyo).",
			],
			"Aug_1_at_7pm_Asia/Tokyo",
			"weekly_Opus",
		],
		[
			["You've hit your limit · resets midnight UTC · Retrying in 8s"],
			"midnight_UTC",
			"unknown",
		],
		[
			[
				"● API Error: Request rejected (429) · You've hit your limit · resets 11pm",
			],
			"11pm",
			"unknown",
		],
		[
			[
				"❯ go on",
				"  ⎿ \u00a0You've hit your limit · resets 11pm",
				"     /upgrade to increase your usage limit.",
			],
			"11pm",
			"unknown",
		],
		[
			[
				"❯ go on",
				"",
				"● Bash(ls)",
				"  ⎿  a.txt",
				"",
				"  ⎿ \u00a05-hour limit reached ∙ resets 3pm",
			],
			"3pm",
			"5-hour",
		],
		[["5-hour limit reached ∙ resets 3pm"], "3pm", "5-hour"],
		[
			["Claude usage limit reached. Your limit will reset at 3pm (Etc/GMT+5)."],
			"3pm_Etc/GMT+5",
			"Claude_usage",
		],
		[
			["Claude AI usage limit reached|1804874400"],
			"1804874400",
			"Claude_AI_usage",
		],
		[["You're out of extra usage · resets 9pm"], "9pm", "unknown"],
		[
			["You've hit your monthly spend limit · your weekly limit resets 9pm"],
			"9pm",
			"monthly_spend",
		],
		[["You've hit your team's shared budget."], "unknown", "unknown"],
		[
			[
				"You've hit your team's shared budget. Switch to another model to continue.",
			],
			"unknown",
			"unknown",
		],
	];
	test.each(cases)("%j", (rows, reset, limit) => {
		expect(read(...rows)).toEqual({ state: "over-limit", reset, limit });
	});
});

describe("anything else that speaks of a limit is none", () => {
	const cases: readonly (readonly string[])[] = [
		["You've hit your limit"],
		["You've hit your limit (no reset line)"],
		["You've hit your limit · "],
		["● The log says: You've hit your limit · resets 3am"],
		["● You've hit your limit · resets 3am"],
		["  > You've hit your limit · resets 3am"],
		["  You've hit your limit · resets 3am"],
		['● user pasted: "You\'ve hit your limit · resets 3am"'],
		["● Teammate anna failed: You've hit your limit · resets 3am"],
		[
			"● Bash(cat log)",
			"  ⎿  You've hit your limit · resets 3am",
			"     more of the log",
		],
		[
			"● API Error: Server is temporarily limiting requests (not your usage limit)",
		],
		["● API Error: Request rejected (429) · Too many tokens"],
		["● It showed", "", "    ⎿ \u00a0You've hit your limit · resets 11pm"],
		["Yesterday you've hit your limit · resets 3am"],
		["The rate limit reached us late · resets never"],
	];
	test.each(cases.map((rows) => [rows]))("%j", (rows) => {
		expect(read(...rows).state).toBe("idle");
	});
});

describe("a session that went on after the notice is not limited", () => {
	const notice = "You've hit your limit · resets 3am";
	const cases: readonly (readonly [readonly string[], string])[] = [
		[[notice, "", "● Back at work."], "idle"],
		[[notice, "", "❯ try again"], "idle"],
		[[notice, "✶ Weaving… (12s · ↓ 840 tokens)"], "busy"],
		[["✶ Weaving… (12s · ↓ 840 tokens)", notice], "over-limit"],
		[["❯ try again", "", notice], "over-limit"],
		[["● Back at work.", "", notice], "over-limit"],
	];
	test.each(cases)("%j: %s", (rows, state) => {
		expect(read(...rows).state).toBe(state as never);
	});
});

describe("a notice that stands", () => {
	const notice = "You've hit your limit · resets 3am";
	const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);
	const cases: readonly (readonly [string, readonly string[], string])[] = [
		["15 rows from the end is read", [notice, ...lines(14)], "over-limit"],
		["16 rows from the end is old", [notice, ...lines(15)], "idle"],
		[
			"above blank rows is not moved away by them",
			[notice, ...Array(20).fill(""), ...lines(14)],
			"over-limit",
		],
		[
			"above the survey is not contradicted by it",
			[
				notice,
				"",
				"● How is Claude doing this session? (optional)",
				"  1: Bad    2: Fine   3: Good   0: Dismiss",
			],
			"over-limit",
		],
		[
			"above a line with a bullet in it is not contradicted by it",
			[notice, "", "Tip ● try another model"],
			"over-limit",
		],
		[
			"as the output of a call is one where its advice follows",
			[
				"● Bash(ls)",
				"  ⎿ \u00a0You've hit your limit · resets 3am",
				"     /upgrade to increase your usage limit.",
			],
			"over-limit",
		],
	];
	test.each(cases)("%s", (_, rows, state) => {
		expect(read(...rows).state).toBe(state as never);
	});

	test("above a queued message is over: the session goes on", () => {
		const rows = [notice, "", RULE, "❯ Press up to edit queued messages", RULE];
		const reading = parseLine(judgeScreen(rows.join("\n")).line);
		expect([reading?.state, reading?.get("queued")]).toEqual(["busy", "1"]);
	});

	test("in the rows below the box is somebody's status line", () => {
		const rows = ["● Hi.", "", ...BOX, notice];
		expect(parseLine(judgeScreen(rows.join("\n")).line)?.state).toBe("idle");
	});
});

describe("what Claude Code itself says about the limit afterwards does not contradict it", () => {
	const waiting = [
		RULE,
		"❯\u00a0",
		RULE,
		"  ⚠ Usage limit reached · limit resets 7:36pm",
		"    Continuing automatically at 7:36pm · Esc to cancel",
		"  ⏵⏵ bypass permissions on (shift+tab to cycle)",
	];
	const told = [
		"❯ hello",
		"  ⎿ \u00a0You've hit your weekly limit · resets 7:36pm (UTC)",
		"",
		"● Usage limit reached · set to continue automatically at 7:36pm",
		"",
	];
	const cancelled =
		"● Automatic continue cancelled · /rate-limit-options to wait again";
	const cases: readonly (readonly [string, readonly string[], object])[] = [
		[
			"while it waits",
			[...told, ...waiting],
			{ reset: "7:36pm_UTC", limit: "weekly" },
		],
		[
			"when the wait is cancelled",
			[...told, cancelled, "", ...BOX],
			{ reset: "7:36pm_UTC", limit: "weekly" },
		],
		[
			"by the word that it waits, the notice out of sight",
			[
				"● Usage limit reached · set to continue automatically at 7:36pm",
				"",
				...BOX,
			],
			{ reset: "7:36pm", limit: "Usage" },
		],
		[
			"by a word that the pane has wrapped twice",
			[
				"● Usage limit reached · set to",
				"  continue automatically at",
				"  7:36pm",
				"",
				...BOX,
			],
			{ reset: "7:36pm", limit: "Usage" },
		],
		[
			"by its status rows alone",
			["● Hi.", "", ...waiting],
			{ reset: "7:36pm", limit: "Usage" },
		],
	];
	test.each(cases)("%s", (_, rows, said) => {
		const reading = parseLine(judgeScreen(rows.join("\n")).line);
		expect({
			state: reading?.state,
			reset: reading?.get("reset_at"),
			limit: reading?.get("limit"),
		}).toEqual({ state: "over-limit", ...said } as never);
	});
});

test("a notice that a narrow pane has wrapped is read as one", () => {
	const wrapped = [
		"You've hit your weekly limit · resets",
		"3am (America/Los_Angeles)",
		"",
		"─".repeat(40),
		"❯\u00a0",
		"─".repeat(40),
	].join("\n");
	expect(parseLine(judgeScreen(wrapped).line)?.get("reset_at")).toBe(
		"3am_America/Los_Angeles",
	);
});

test("a reset token is cut to 64 characters", () => {
	expect(resetToken("x".repeat(99))).toHaveLength(64);
	expect(resetToken("(Etc/GMT+5).")).toBe("Etc/GMT+5");
	expect(resetToken(" · ")).toBe("unknown");
});
