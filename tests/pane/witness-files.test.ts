import { describe, expect, test } from "bun:test";
import {
	DEFAULT_HORIZONS,
	judgeHeartbeat,
} from "../../monitor/_pane/heartbeat.ts";
import {
	judgeSession,
	overlayOfWaiting,
	type SessionProcess,
} from "../../monitor/_pane/session.ts";
import { lookAtSession } from "../../monitor/_pane/session-look.ts";
import { judgeStamp } from "../../monitor/_pane/stamp.ts";
import { parseHeartbeat } from "../../monitor/_state/heartbeat.ts";
import { parseOverLimitStamp } from "../../monitor/_state/over-limit-stamp.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { NOW } from "./fixtures.ts";

const PROCESS: SessionProcess = {
	pid: 4821,
	startTicks: "188259",
	startedAt: 1_796_041_956,
	pidNamespace: "pid:[4026531836]",
};
const SESSION = {
	pid: 4821,
	sessionId: "a",
	procStart: "188259",
	kind: "interactive",
	version: "2.1.332",
	status: "busy",
};
const said = (change: object, process: SessionProcess | null = PROCESS) =>
	judgeSession(JSON.stringify({ ...SESSION, ...change }), process);

describe("the session file says what Claude Code wrote", () => {
	const cases: readonly (readonly [object, string | null])[] = [
		[{ status: "busy" }, "busy"],
		[{ status: "waiting", waitingFor: "permission prompt" }, "blocked"],
		[{ status: "shell" }, "shell"],
		[{ status: "idle" }, "idle"],
		[{ status: undefined }, "starting"],
		[{ status: "dreaming" }, null],
		[{ status: "constructor" }, null],
		[{ status: { word: "busy" } }, null],
		[{ status: 7 }, null],
		[{ status: "" }, null],
		[{ status: "busy", v: 9, waitingFor: ["x"], news: {} }, "busy"],
	];
	test.each(cases)("%j: %s", (change, says) => {
		expect(said(change)).toMatchObject({ says, live: true, sessionId: "a" });
	});
	test.each([
		["permission prompt", "permission"],
		["input needed", "askuq"],
		["dialog open", "dialog"],
		[null, "dialog"],
	] as const)("what it waits for names the dialog: %p is %s", (word, kind) => {
		expect(overlayOfWaiting(word)).toBe(kind);
	});
	test("a file larger than any of Claude Code's is none, to the character", () => {
		const size = JSON.stringify({ ...SESSION, pad: "" }).length;
		const padded = (length: number) => said({ pad: "x".repeat(length - size) });
		expect(padded(65_536).says).toBe("busy");
		expect(padded(65_537).says).toBeNull();
	});
	test("its age decides nothing", () => {
		expect(said({ statusUpdatedAt: 1 }).says).toBe("busy");
	});
});

describe("a session file that is not provably of the live process says nothing", () => {
	const cases: readonly (readonly [object, string])[] = [
		[{ pid: 9 }, "pid 9 is not 4821"],
		[{ procStart: "188260" }, "procStart 188260 is not 188259"],
		[{ procStart: undefined }, "procStart none is not 188259"],
		[
			{ procStart: "Mon Nov 30 12:00:00 2026" },
			"procStart Mon Nov 30 12:00:00 2026 is not 188259",
		],
		[{ kind: "bg" }, "kind bg is not interactive"],
		[
			{ pidDomain: "linux:0:pid:[4026539999]" },
			"pid:[4026539999] is not pid:[4026531836]",
		],
	];
	test.each(cases)("%j", (change, why) => {
		expect(said(change)).toMatchObject({
			says: null,
			live: false,
			sessionId: null,
			why,
		});
	});
	test("the process is gone", () => {
		expect(said({}, null)).toMatchObject({
			says: null,
			why: "pid 4821 is gone",
		});
	});
	test.each(["", "{", '{"pid":48', "[]", "null", "7", " ".repeat(70_000)])(
		"%#: torn and foreign text",
		(text) => {
			expect(judgeSession(text, PROCESS).says).toBeNull();
		},
	);
	test("its own namespace is no reason to doubt", () => {
		expect(said({ pidDomain: "linux:0:pid:[4026531836]" }).says).toBe("busy");
	});
	test("a start written as a date is compared to the second", () => {
		const at = new Date(1_796_041_956_000).toUTCString().replace(" GMT", "");
		expect(said({ procStart: at }).says).toBe("busy");
	});
});

test("the file is found by pid in the process's own folder, then ours, then the home folder", () => {
	const folders = ["/own", "/ours", "/home/op/.claude"];
	for (const [i, folder] of folders.entries()) {
		const doors = fakeDoors({
			proc: {
				env: { CLAUDE_CONFIG_DIR: "/ours" },
				processes: [
					{ pid: 4821, comm: "claude", environ: { CLAUDE_CONFIG_DIR: "/own" } },
				],
			},
		});
		for (const other of folders.slice(0, i))
			doors.files.seed(`${other}/sessions/4821.json`, "{torn");
		doors.files.seed(`${folder}/sessions/4821.json`, JSON.stringify(SESSION));
		expect(lookAtSession(doors, PROCESS).says).toBe("busy");
	}
});

describe("a heartbeat holds for its horizon", () => {
	const beat = (fields: object) => parseHeartbeat(JSON.stringify(fields));
	const judge = (fields: object, sessionId: string | null = null) =>
		judgeHeartbeat(beat(fields), NOW, sessionId, DEFAULT_HORIZONS);
	const cases: readonly (readonly [object, string | null])[] = [
		[{ state: "busy", last_activity: NOW - 5 }, "busy"],
		[{ state: "busy", last_activity: NOW - 30 }, "busy"],
		[{ state: "busy", last_activity: NOW - 31 }, null],
		[{ state: "user_prompt", last_activity: NOW - 5 }, "busy"],
		[{ state: "permission_prompt", last_activity: NOW - 5 }, "blocked"],
		[{ state: "idle_prompt", last_activity: NOW - 5 }, "idle"],
		[{ state: "notify", last_activity: NOW }, null],
		[{ state: "weird", last_activity: NOW }, null],
		[{ state: "constructor", last_activity: NOW }, null],
		[{ state: "busy" }, null],
		[{ last_activity: NOW }, null],
		[{ state: "busy", last_activity: "now" }, null],
		[
			{ state: "idle_prompt", last_activity: NOW - 600, last_turn_end: NOW },
			"idle",
		],
		[{ state: "busy", last_activity: NOW - 60, last_turn_end: NOW }, "busy"],
		[
			{
				state: "idle_prompt",
				last_activity: NOW - 9000,
				last_turn_end: NOW - 1801,
			},
			null,
		],
		[
			{
				state: "idle_prompt",
				last_activity: NOW - 9000,
				last_turn_end: NOW - 1800,
			},
			"idle",
		],
		[{ state: "busy", last_turn_end: NOW }, null],
		[{ state: "busy", last_activity: NOW + 20 }, "busy"],
		[{ state: "busy", last_activity: NOW + 31 }, null],
	];
	test.each(cases)("%j: %s", (fields, says) => {
		expect(judge(fields).says).toBe(says as never);
	});
	test("that of another session is ignored, one without an id is not", () => {
		const fields = { state: "busy", last_activity: NOW };
		expect(judge({ ...fields, session_id: "b" }, "a").says).toBeNull();
		expect(judge({ ...fields, session_id: "a" }, "a").says).toBe("busy");
		expect(judge({ ...fields, session_id: null }, "a").says).toBe("busy");
		expect(judge({ ...fields, session_id: "b" }, null).says).toBe("busy");
	});
	test.each(["", "{", "[]", "null", '"x"'])("%j is no heartbeat", (text) => {
		expect(parseHeartbeat(text)).toBeNull();
	});
	test("waits outlast the state; a wake-up must lie ahead", () => {
		const external_waits = [{ kind: "ci", id: "9" }, { kind: 7 }, "x"];
		const old = judge({ last_activity: NOW - 170_000, external_waits });
		expect(old.waits).toEqual([{ kind: "ci", id: "9" }]);
		expect(
			judge({ last_activity: NOW - 172_801, external_waits }).waits,
		).toEqual([]);
		const wakes = (at: number, age: number) =>
			judge({ last_activity: NOW - age, scheduled_wakeup_at: at }).wakeupAt;
		expect(wakes(NOW + 60, 60)).toBe(NOW + 60);
		expect(wakes(NOW + 60, 61)).toBeNull();
		expect(wakes(NOW, 0)).toBeNull();
	});
});

describe("an over-limit stamp holds until its reset is known to be over", () => {
	const HOUR = 3600;
	const stampOf = (fields: object, mtime: number | null = null) =>
		parseOverLimitStamp(JSON.stringify(fields), mtime);
	const judge = (
		fields: object,
		beat: object | null = null,
		seen: number | null = null,
	) =>
		judgeStamp(stampOf(fields), {
			now: NOW,
			sessionId: "a",
			heartbeat: beat && parseHeartbeat(JSON.stringify(beat)),
			orchestratorSeenAt: seen,
			ttlSeconds: 97_200,
			hostZone: "UTC",
		}).kind;
	const resetIn = (seconds: number) => String(NOW + seconds);
	const cases: readonly (readonly [string, object, string])[] = [
		["fresh, no reset", { ts: NOW - 60, reset_at: null }, "valid"],
		["20 h old, no reset", { ts: NOW - 20 * HOUR, reset_at: null }, "valid"],
		[
			"100 h old, no reset",
			{ ts: NOW - 100 * HOUR, reset_at: null },
			"expired",
		],
		[
			"4 days old, reset two days ahead",
			{ ts: NOW - 96 * HOUR, reset_at: resetIn(48 * HOUR) },
			"valid",
		],
		[
			"20 h old, reset 17 h ago",
			{ ts: NOW - 20 * HOUR, reset_at: resetIn(-17 * HOUR) },
			"expired",
		],
		[
			"reset within the hour",
			{ ts: NOW - 20 * HOUR, reset_at: resetIn(-HOUR) },
			"valid",
		],
		[
			"its reset an hour ago, to the second",
			{ ts: NOW - 20 * HOUR, reset_at: resetIn(-3600) },
			"valid",
		],
		[
			"a second more",
			{ ts: NOW - 20 * HOUR, reset_at: resetIn(-3601) },
			"expired",
		],
		[
			"an hour old, its reset before it",
			{ ts: NOW - HOUR, reset_at: resetIn(-3 * HOUR) },
			"valid",
		],
		[
			"a second older",
			{ ts: NOW - HOUR - 1, reset_at: resetIn(-3 * HOUR) },
			"expired",
		],
		["as old as it may be", { ts: NOW - 97_200, reset_at: null }, "valid"],
		["a second too old", { ts: NOW - 97_201, reset_at: null }, "expired"],
		["as far ahead as it may be", { ts: NOW + 97_200 }, "valid"],
		["no time at all", { reset_at: null }, "expired"],
		["from the future", { ts: NOW + 97_201 }, "expired"],
		["of another session", { ts: NOW, session_id: "b" }, "foreign"],
		["of this session", { ts: NOW, session_id: "a" }, "valid"],
	];
	test.each(cases)("%s", (_, fields, kind) => {
		expect(judge(fields)).toBe(kind as never);
	});
	test("the file's own time stands in for one that does not parse", () => {
		expect(stampOf({ ts: "soon" }, 77)?.at).toBe(77);
		expect(stampOf({ ts: "2026-05-11T13:42:01Z" })?.at).toBe(1_778_506_921);
	});
	const beats: readonly (readonly [object, string])[] = [
		[{ event: "PostToolUse", state: "busy" }, "superseded"],
		[{ event: "PermissionRequest", state: "permission_prompt" }, "superseded"],
		[{ event: "Stop", state: "idle_prompt" }, "superseded"],
		[{ event: "Notification", state: "permission_prompt" }, "superseded"],
		[{ event: "Notification", state: "idle_prompt" }, "valid"],
		[{ event: "UserPromptSubmit", state: "user_prompt" }, "valid"],
		[{ state: "busy" }, "valid"],
	];
	test.each(beats)(
		"work after it ends it, a prompt of ours does not: %j",
		(beat, kind) => {
			const stamp = { ts: NOW - 60 };
			expect(judge(stamp, { ...beat, last_activity: NOW })).toBe(kind as never);
			expect(judge(stamp, { ...beat, last_activity: NOW - 60 })).toBe("valid");
		},
	);
	test("the orchestrator's own heartbeat file does the same for a window without one", () => {
		expect(judge({ ts: NOW - 60 }, null, NOW - 10)).toBe("superseded");
		expect(judge({ ts: NOW - 60 }, null, NOW - 60)).toBe("valid");
	});
});
