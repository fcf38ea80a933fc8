/** The heartbeat: every vector of contract 08 §3, and what survives damage and rivals. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { withBriefLock } from "../../monitor/_state/brief-lock.ts";
import { parseHeartbeat } from "../../monitor/_state/heartbeat.ts";
import {
	HEARTBEAT_TOKENS,
	type HeartbeatToken,
	nextHeartbeat,
} from "../../monitor/_state/heartbeat-next.ts";
import { updateHeartbeat } from "../../monitor/_state/heartbeat-update.ts";
import type { JsonObject } from "../../monitor/_state/json-object.ts";
import { writeHeartbeat } from "../../monitor/hooks/_heartbeat.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { hookRig, NOW, STATE } from "./hook-rig.ts";

type Event = readonly [HeartbeatToken, JsonObject?];
const WAIT = { kind: "slurm", id: "1", desc: "train" };

/** The object after these events, one a second from NOW on. */
function after(events: readonly Event[], prior: JsonObject | null = null) {
	return events.reduce<JsonObject | null>(
		(heartbeat, [token, payload = {}], second) =>
			nextHeartbeat(heartbeat, token, payload, "w1", NOW + second) ?? heartbeat,
		prior,
	);
}
const A1 = { agent_id: "a1" };
const A2 = { agent_id: "a2" };

describe("the state is that of the event", () => {
	test.each([
		["busy", "busy"],
		["user_prompt", "user_prompt"],
		["permission_prompt", "permission_prompt"],
		["turn_end", "idle_prompt"],
		["notify", "notify"],
	] as const)("%s: %s", (token, state) => {
		expect(after([[token]])).toMatchObject({ state, last_activity: NOW });
	});

	test("all fields are there, null where nothing was said", () => {
		expect(JSON.stringify(after([["turn_end"]]))).toBe(
			`{"state":"idle_prompt","last_activity":${NOW},"event":null,"last_tool":null,"session_id":null,"agent_id":null,"window":"w1","external_waits":[],"dismissed_waits":[],"last_turn_end":${NOW}}`,
		);
		const said = {
			hook_event_name: "PostToolUse",
			tool_name: "Bash",
			session_id: "s",
			agent_id: "a",
		};
		expect(after([["busy", said]])).toMatchObject({
			event: "PostToolUse",
			last_tool: "Bash",
			session_id: "s",
			agent_id: "a",
		});
	});
});

describe("a notice", () => {
	const needs = "Claude needs your permission to use Write";
	test.each([
		[
			{ notification_type: "permission_prompt", message: "Hello" },
			"permission_prompt",
		],
		[{ notification_type: "idle_prompt", message: needs }, "idle_prompt"],
		[{ notification_type: "auth_success", message: needs }, "notify"],
		[{ notification: { type: "idle_prompt" } }, "idle_prompt"],
		[{ notification_type: null, message: needs }, "permission_prompt"],
		[{ notification_type: 7, message: needs }, "permission_prompt"],
		[{ message: "Claude is WAITING for you" }, "idle_prompt"],
		[{ message: "Your input is needed" }, "idle_prompt"],
		[{ message: "idle for a while" }, "idle_prompt"],
		[{ notification: { message: needs } }, "permission_prompt"],
		[{ message: "Update installed" }, "notify"],
		[{ message: { text: needs } }, "notify"],
		[{}, "notify"],
	])("%j: %s", (payload, state) => {
		expect(after([["notify", payload]])).toMatchObject({ state });
	});
});

describe("events in a row", () => {
	const wakeup = (delaySeconds: unknown) => ({
		tool_name: "ScheduleWakeup",
		tool_input: { delaySeconds },
	});
	const stop = { hook_event_name: "SubagentStop" };
	const permission = { notification_type: "permission_prompt" };
	const rows: readonly (readonly [string, readonly Event[], object])[] = [
		[
			"Esc fires nothing: busy stays",
			[["user_prompt"], ["busy"]],
			{ state: "busy" },
		],
		[
			"SubagentStop after Stop does not revive",
			[["turn_end"], ["busy", stop]],
			{ state: "idle_prompt", last_activity: NOW },
		],
		[
			"a tool that Esc interrupted is no activity",
			[["busy"], ["busy", { is_interrupt: true }]],
			{ last_activity: NOW },
		],
		[
			"SubagentStop never ends the turn",
			[["busy"], ["turn_end", stop]],
			{ state: "busy" },
		],
		[
			"a subagent's tool use after Stop does not revive",
			[["turn_end"], ["busy", A1]],
			{ state: "idle_prompt", last_turn_end: NOW },
		],
		[
			"a prompt stands against a subagent's tool use",
			[["permission_prompt"], ["busy", A1]],
			{ state: "permission_prompt" },
		],
		[
			"it does not stand against its own chain",
			[["permission_prompt"], ["busy"]],
			{ state: "busy" },
		],
		[
			"the notice keeps whose prompt it is",
			[
				["permission_prompt", A1],
				["notify", permission],
				["busy", A1],
			],
			{ state: "busy" },
		],
		[
			"and against whom it stands",
			[
				["permission_prompt", A1],
				["notify", permission],
				["busy", A2],
			],
			{ state: "permission_prompt", agent_id: "a1" },
		],
		[
			"a subagent may ask after Stop",
			[["turn_end"], ["permission_prompt", A1]],
			{ state: "permission_prompt" },
		],
		[
			"a wake-up is kept",
			[["busy", wakeup(600)], ["busy"]],
			{ scheduled_wakeup_at: NOW + 600 },
		],
		[
			"a new one replaces it",
			[
				["busy", wakeup(600)],
				["busy", wakeup(30)],
			],
			{ scheduled_wakeup_at: NOW + 31 },
		],
	];
	test.each(rows)("%s", (_, events, expected) => {
		expect(after(events)).toMatchObject(expected);
	});

	test("a prompt older than 30 s stands against nobody", () => {
		const prompt = after([["permission_prompt"]]);
		expect(nextHeartbeat(prompt, "busy", A1, "w1", NOW + 30)).toBeNull();
		expect(nextHeartbeat(prompt, "busy", A1, "w1", NOW + 31)).not.toBeNull();
		// A clock that stepped back: a stamp that far ahead is not credible.
		expect(nextHeartbeat(prompt, "busy", A1, "w1", NOW - 31)).not.toBeNull();
	});

	test("the end of the turn is told only until something else happens", () => {
		const prior = { external_waits: [WAIT], dismissed_waits: [WAIT] };
		const idle = { notification_type: "idle_prompt" };
		const last = after([["turn_end"], ["notify", idle]], prior);
		expect(last).toMatchObject({
			state: "idle_prompt",
			external_waits: [WAIT],
			dismissed_waits: [WAIT],
		});
		expect(last).not.toHaveProperty("last_turn_end");
	});

	test.each([["600"], [1.5], [null], [Number.NaN]])(
		"a wake-up in %p seconds is none",
		(delay) => {
			expect(after([["busy", wakeup(delay)]])).not.toHaveProperty(
				"scheduled_wakeup_at",
			);
		},
	);

	test("a wake-up that could not be scheduled is none", () => {
		const failed = {
			...wakeup(600),
			hook_event_name: "PostToolUseFailure",
		};
		expect(after([["busy", failed]])).not.toHaveProperty("scheduled_wakeup_at");
	});

	test.each([
		["before", null, "two"],
		["now", "one", null],
		["twice", null, null],
	])("a session that was not told %s is the same one", (_, one, two) => {
		const said = (id: string | null) => (id === null ? {} : { session_id: id });
		const last = after([
			["busy", { ...wakeup(600), ...said(one) }],
			["busy", said(two)],
		]);
		expect(last).toMatchObject({ scheduled_wakeup_at: NOW + 600 });
	});

	test("another session inherits the waits and nothing else", () => {
		const before = after(
			[["permission_prompt", { session_id: "one", ...A1 }]],
			{ external_waits: [WAIT], scheduled_wakeup_at: NOW + 60 },
		);
		const next = nextHeartbeat(
			before,
			"busy",
			{ session_id: "two" },
			"w1",
			NOW,
		);
		expect(next).toMatchObject({ state: "busy", external_waits: [WAIT] });
		expect(next).not.toHaveProperty("scheduled_wakeup_at");
	});
});

test("whatever is sent on top of whatever was there, the file can be read", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...HEARTBEAT_TOKENS),
			fc.dictionary(fc.string(), fc.jsonValue()),
			fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
			(token, payload, prior) => {
				const next = nextHeartbeat(prior, token, payload, "w1", NOW);
				if (next === null) return;
				const read = parseHeartbeat(JSON.stringify(next));
				expect(read).toMatchObject({ lastActivity: NOW });
			},
		),
	);
});

describe("the hook", () => {
	test("writes the window's file, and for a prompt the stamp that lasts", async () => {
		const rig = hookRig();
		await rig.run(writeHeartbeat, { session_id: "s\t1" }, "user_prompt");
		await rig.run(writeHeartbeat, {}, "busy");
		expect(rig.json("heartbeat/w1.json")).toMatchObject({ state: "busy" });
		expect(rig.text("user-prompt/w1")).toBe(`${NOW}\ts1\n`);
	});

	test("a prompt that Claude Code submits itself is nobody's", async () => {
		const rig = hookRig();
		const prompt = "<task-notification>\n<task-id>b0</task-id>";
		await rig.run(writeHeartbeat, { prompt }, "user_prompt");
		expect(rig.paths()).toEqual(["heartbeat/w1.json"]);
	});

	test.each([
		["no token", {}, []],
		["an unknown token", {}, ["asleep"]],
		["no payload", null, ["busy"]],
		["garbage", "{", ["busy"]],
	])("%s: no file", async (_, payload, args) => {
		const rig = hookRig();
		expect((await rig.run(writeHeartbeat, payload, ...args)).code).toBe(0);
		expect(rig.paths()).toEqual([]);
	});

	test("an event that leaves the file as it is does not touch it", async () => {
		const rig = hookRig();
		await rig.run(writeHeartbeat, {}, "turn_end");
		const before = rig.text("heartbeat/w1.json");
		await rig.wait(5);
		await rig.run(writeHeartbeat, A1, "busy");
		expect(rig.text("heartbeat/w1.json")).toBe(before);
	});

	test.each(["", "{", "[]", "7"])(
		"%j is damage: set aside, told, and begun anew",
		async (text) => {
			const rig = hookRig();
			rig.doors.files.seed(`${STATE}/heartbeat/w1.json`, text);
			const { err } = await rig.run(writeHeartbeat, {}, "busy");
			expect(rig.json("heartbeat/w1.json")).toMatchObject({ state: "busy" });
			const aside = rig.paths().filter((path) => path.includes(".damaged."));
			expect(aside).toHaveLength(1);
			expect(rig.text(aside[0]!)).toBe(text);
			expect(err.join()).toContain(".damaged.");
			expect(rig.text("watcher-alerts.log")).toContain("heartbeat of w1");
		},
	);

	test("a disk that takes nothing is no reason to fail", async () => {
		const rig = hookRig();
		rig.doors.files.faults.readOnly = true;
		const end = await rig.run(writeHeartbeat, {}, "busy");
		expect(end).toMatchObject({ code: 0, out: [] });
	});

	test("a file that cannot be read is not written over", async () => {
		const rig = hookRig();
		const path = `${STATE}/heartbeat/w1.json`;
		rig.doors.files.seed(path, '{"external_waits":[{"kind":"a","id":"b"}]}');
		const heal = rig.doors.files.faults.fail({
			path,
			ops: ["read"],
			code: "EIO",
		});
		await rig.run(writeHeartbeat, {}, "busy");
		heal();
		expect(rig.json("heartbeat/w1.json")).not.toHaveProperty("state");
	});
});

describe("the brief lock", () => {
	const LOCK = "/state/f.lock";
	function doorsWithFolder() {
		const doors = fakeDoors({ auto: true });
		doors.files.seedDir("/state");
		return doors;
	}

	test("two changes at once both count", async () => {
		const doors = doorsWithFolder();
		const add = (id: string) =>
			updateHeartbeat(doors, "/state", "w1", (prior) => ({
				ids: [...((prior?.ids as string[] | undefined) ?? []), id],
			}));
		await Promise.all(["a", "b", "c"].map(add));
		const read = doors.files.read("/state/heartbeat/w1.json");
		expect(read).toEqual({ kind: "ok", text: '{"ids":["a","b","c"]}\n' });
	});

	test("waits for its holder, at most 250 ms, then goes on without", async () => {
		const doors = doorsWithFolder();
		doors.files.writeNew(LOCK, "");
		const begin = doors.clock.monoMs();
		expect(await withBriefLock(doors, LOCK, () => "done")).toBe("done");
		expect(doors.clock.monoMs() - begin).toBe(250);
		// It was not ours to take away.
		expect(doors.files.stat(LOCK).kind).toBe("ok");
	});

	test("goes on as soon as the holder is done", async () => {
		const doors = doorsWithFolder();
		doors.files.writeNew(LOCK, "");
		doors.clock.after(20, () => doors.files.remove(LOCK));
		const begin = doors.clock.monoMs();
		await withBriefLock(doors, LOCK, () => {});
		expect(doors.clock.monoMs() - begin).toBe(20);
	});

	test("the lock of a killed holder is taken over", async () => {
		const doors = doorsWithFolder();
		doors.files.writeNew(LOCK, "");
		await doors.clock.advance(2600);
		const begin = doors.clock.monoMs();
		await withBriefLock(doors, LOCK, () => {});
		expect(doors.clock.monoMs()).toBe(begin);
		expect(doors.files.stat(LOCK).kind).toBe("absent");
	});

	test("is given back when the work throws", async () => {
		const doors = doorsWithFolder();
		const work = withBriefLock(doors, LOCK, () => {
			throw new Error("bug");
		});
		await expect(work).rejects.toThrow("bug");
		expect(doors.files.stat(LOCK).kind).toBe("absent");
	});
});
