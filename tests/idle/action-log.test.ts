import { describe, expect, test } from "bun:test";
import {
	actionLogPath,
	parseActionLog,
	readActionLog,
} from "../../monitor/_state/action-log.ts";
import {
	WINDOW_EVENTS,
	windowEvents,
} from "../../monitor/_state/window-events.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { type LogEntry, logLines } from "./action-lines.ts";

const ask = (window: string, entries: readonly LogEntry[]) =>
	windowEvents(parseActionLog(logLines(entries), WINDOW_EVENTS))(window);

describe("a wrap-up belongs to a window", () => {
	const rows: [string, string, LogEntry[], boolean][] = [
		[
			"whose name the report starts with",
			"proj-window",
			[["wrap-up", 100, { report: "proj-window_2026-05-10_120000_foo.md" }]],
			true,
		],
		[
			"whose name the report holds behind `_` or `-`",
			"foo",
			[["wrap-up", 100, { report: "reports/proj_2026-05-10_1200_foo.md" }]],
			true,
		],
		[
			"of another name not, whatever its report is called",
			"stray-win",
			[
				[
					"wrap-up",
					100,
					{ window: "other", report: "stray-win_2026-05-10_120000_a.md" },
				],
			],
			false,
		],
		["not without a report", "w", [["wrap-up", 100, { window: "w" }]], false],
		[
			"not when it is of an earlier life",
			"w",
			[
				["wrap-up", 100, { window: "w", report: "r.md" }],
				["spawn", 101, { window: "w" }],
			],
			false,
		],
		[
			"when it happened in the second of the spawn",
			"w",
			[
				["wrap-up", 100, { window: "w", report: "r.md" }],
				["spawn", 100, { window: "w" }],
			],
			true,
		],
	];
	test.each(rows)("%s (%s)", (_name, window, entries, belongs) => {
		expect(ask(window, entries).wrapUp !== null).toBe(belongs);
	});

	test("and the newest counts, by its base name", () => {
		const { wrapUp } = ask("w", [
			["wrap-up", 100, { window: "w", report: "old.md" }],
			["wrap-up", 200, { window: "w", report: "reports/new.md" }],
			["wrap-up", 300, { window: "v", report: "w_other.md" }],
		]);
		expect(wrapUp).toEqual({ at: 200, report: "new.md" });
	});
});

test("of each event the newest of that very window counts", () => {
	const said = ask("w", [
		["spawn", 10, { window: "w", "session-id": "first" }],
		["spawn", 20, { window: "w", "session-id": "second" }],
		["spawn", 30, { window: "w2" }],
		["window-retain", 40, { window: "w", reason: "asks (twice), waits" }],
		["engaged-done", 50, { window: "w" }],
		["paste-followup", 60, { window: "w" }],
		["paste-followup", 70, { window: "w", no_enter: "1" }],
	]);
	expect(said).toEqual({
		spawnAt: 20,
		spawnSessionId: "second",
		engagedDoneAt: 50,
		wrapUp: null,
		retain: { at: 40, reason: "asks (twice), waits" },
		pastedAt: 70,
		submittedPasteAt: 60,
	});
});

test.each(["submitted", "submitted (queued behind the running turn)"])(
	"a paste that was proven (%s) when it was logged waits for no submit: that came before its line",
	(outcome) => {
		const said = ask("w", [
			["paste-followup", 60, { window: "w", outcome: "unverifiable" }],
			["paste-followup", 70, { window: "w", outcome }],
		]);
		expect(said.pastedAt).toBe(70);
		expect(said.submittedPasteAt).toBe(60);
	},
);

test("an unknown time is none, and an unknown window has no events", () => {
	const log = '{"ts":"soon","event":"spawn","window":"w"}\n';
	const events = windowEvents(parseActionLog(log, WINDOW_EVENTS));
	expect(events("w").spawnAt).toBeNull();
	expect(events("elsewhere").spawnAt).toBeNull();
});

describe("the log", () => {
	const path = actionLogPath("/s");
	const spawn = (window: string) => logLines([["spawn", 100, { window }]]);
	const windowsIn = (doors: ReturnType<typeof fakeDoors>) =>
		readActionLog(doors, "/s", ["spawn"])?.map((e) => e.window) ?? null;

	test("is read over torn lines, blanks between key and value, and other events", () => {
		const doors = fakeDoors();
		doors.files.seed(
			path,
			`${spawn("a")}{"event":"sp\n{ "event": "spawn", "ts": "1970-01-01T00:00:01Z", "window": "b" }\n{"event":"note","note":"spawn"}\nnull\n7\n${spawn("c")}`,
		);
		expect(windowsIn(doors)).toEqual(["a", "b", "c"]);
	});

	test("is continued from its newest rotation", () => {
		const doors = fakeDoors();
		doors.files.seed(path, spawn("now"));
		doors.files.seed(`${path}.1700000000`, spawn("older"));
		doors.files.seed(`${path}.1800000000`, spawn("old"));
		doors.files.seed(`${path}.damaged.1900000000`, spawn("damaged"));
		expect(windowsIn(doors)).toEqual(["old", "now"]);
	});

	test.each(["", "\0\0\0"])(
		"holding %j is damaged: told and set aside",
		(text) => {
			const doors = fakeDoors();
			doors.files.seed(path, text);
			expect(windowsIn(doors)).toEqual([]);
			expect(windowsIn(doors)).toEqual([]);
			expect(doors.log.messages()).toHaveLength(1);
			expect(doors.files.has(path)).toBe(false);
		},
	);

	test("that cannot be read is no answer", () => {
		const doors = fakeDoors();
		doors.files.seedDir(path);
		expect(windowsIn(doors)).toBeNull();
	});
});
