import { describe, expect, test } from "bun:test";
import { failure } from "../../monitor/_github/errors.ts";
import {
	decidePause,
	nextPause,
	pausesOf,
} from "../../monitor/_github/pause.ts";
import {
	type GitHubPause,
	gitHubPausePath,
	parseGitHubPause,
	renderGitHubPause,
} from "../../monitor/_state/github-pause.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { NOW, STATE_DIR } from "./rig.ts";

const PATH = gitHubPausePath(STATE_DIR, "core");
const ALERTS = `${STATE_DIR}/watcher-alerts.log`;

function pause(over: Partial<GitHubPause> = {}): GitHubPause {
	const base = { until: NOW + 60, armed: NOW, streak: 1, limit: "secondary" };
	return { ...base, ...over } as GitHubPause;
}

test.each([
	["no file", null, "open"],
	["before its end", pause(), "closed"],
	["at its end", pause({ until: NOW, armed: NOW - 60 }), "open"],
	["as long as its bound", pause({ until: NOW + 900 }), "closed"],
	["longer than its bound", pause({ until: NOW + 901 }), "incredible"],
	[
		"armed by a clock that has gone back since",
		pause({ armed: NOW + 50, until: NOW + 110 }),
		"incredible",
	],
] as const)("a pause %s is %s", (_name, given, kind) => {
	expect(decidePause(given, NOW).kind).toBe(kind);
});

describe("what a limit writes", () => {
	const secondary = failure("rate_secondary");
	test.each([
		["the first", null, secondary, { until: NOW + 60, streak: 1 }],
		[
			"one after the end of the first",
			pause({ armed: NOW - 90, until: NOW - 30 }),
			secondary,
			{ until: NOW + 120, streak: 2 },
		],
		[
			"one that was met while the first was on is the same",
			pause({ armed: NOW - 5, until: NOW + 55 }),
			secondary,
			{ until: NOW + 60, streak: 1 },
		],
		[
			"and never ends it early",
			pause({ armed: NOW - 5, until: NOW + 500 }),
			secondary,
			{ until: NOW + 500, streak: 1 },
		],
		[
			"a primary one starts the count anew",
			pause({ armed: NOW - 90, until: NOW - 30, streak: 3 }),
			failure("rate_primary", { remaining: 0, resetAt: NOW + 300 }),
			{ until: NOW + 300, streak: 0, limit: "primary" },
		],
		[
			"no longer than its bound",
			null,
			failure("rate_primary", { remaining: 0, resetAt: NOW + 3600 }),
			{ until: NOW + 900 },
		],
		[
			"an incredible file counts as none",
			pause({ until: NOW + 9999, streak: 7 }),
			secondary,
			{ until: NOW + 60, streak: 1 },
		],
	] as const)("%s", (_name, before, failed, written) => {
		expect(nextPause(before, failed, NOW)).toMatchObject({
			armed: NOW,
			...written,
		});
	});
});

test("a file is read as it is written, and nothing else is one", () => {
	const one = pause({ until: NOW + 60 });
	const text = renderGitHubPause(one);
	expect(text).toBe(
		`until=${NOW + 60}\narmed=${NOW}\nstreak=1\nkind=secondary\n`,
	);
	expect(parseGitHubPause(text)).toEqual(one);
	for (const bad of [
		"until=x\narmed=1\nstreak=0\nkind=primary\n",
		"until=1\narmed=1\nstreak=0\n",
		"until=1\narmed=1\nstreak=0\nkind=odd\n",
		"{}",
	])
		expect(parseGitHubPause(bad)).toBeNull();
});

describe("on disk", () => {
	test.each([
		[
			"a far end",
			renderGitHubPause(pause({ until: NOW + 9999 })),
			"reason=ceiling",
		],
		[
			"a start in the future",
			renderGitHubPause(pause({ armed: NOW + 50 })),
			"reason=clock",
		],
	])(
		"a file with %s is removed, with one row, and mutes nobody",
		(_name, text, row) => {
			const doors = fakeDoors({ now: NOW });
			doors.files.seed(PATH, text);
			const pauses = pausesOf(doors, STATE_DIR);
			expect(pauses.look("core").kind).toBe("open");
			expect(pauses.look("core").kind).toBe("open");
			expect(doors.files.has(PATH)).toBe(false);
			const rows = doors.files.text(ALERTS).trimEnd().split("\n");
			expect(rows).toHaveLength(1);
			expect(rows[0]).toContain(`WARN core github_pause_reconciled ${row}`);
		},
	);

	const on = `until=${NOW + 60}\narmed=${NOW}\n`;
	test.each([
		"",
		"until=",
		"\0\0\0\0",
		`${on}kind=secondary\n`,
		`${on}streak=1\n`,
		`${on}streak=1\nkind=other\n`,
		`until=${NOW + 60}\nstreak=1\nkind=secondary\n`,
	])("a damaged file (%j) is set aside and mutes nobody", (text) => {
		const doors = fakeDoors({ now: NOW });
		doors.files.seed(PATH, text);
		expect(pausesOf(doors, STATE_DIR).look("core").kind).toBe("open");
		expect(doors.files.paths(STATE_DIR)).toEqual([
			`${PATH}.damaged.${NOW}`,
			ALERTS,
		]);
	});

	test("a disk that takes nothing does not fail the call that met the limit", () => {
		const doors = fakeDoors({ now: NOW });
		doors.files.faults.readOnly = true;
		const pauses = pausesOf(doors, STATE_DIR);
		expect(pauses.arm("core", failure("rate_secondary"))).toBe(NOW + 60);
		expect(pauses.look("core").kind).toBe("open");
	});

	test("the success of a call that was sent before the newest limit does not end the pause", () => {
		const doors = fakeDoors({ now: NOW });
		const pauses = pausesOf(doors, STATE_DIR);
		const over = pause({ armed: NOW - 90, until: NOW - 30 });
		doors.files.seed(PATH, renderGitHubPause(pause()));
		pauses.succeeded("core", over);
		expect(doors.files.has(PATH)).toBe(true);
		pauses.succeeded("core", pause());
		expect(doors.files.has(PATH)).toBe(false);
	});
});
