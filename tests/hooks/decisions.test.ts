/** Decisions, notices, the tool in flight (contract 08 §2.1, §2.5, §5.1, §5.2). */
import { describe, expect, test } from "bun:test";
import { decisionFingerprint } from "../../monitor/_state/decisions.ts";
import { markAtStop } from "../../monitor/_state/decisions-at-stop.ts";
import { parseNotifications } from "../../monitor/_state/notifications.ts";
import { emitDecision, markDecisions } from "../../monitor/hooks/_decision.ts";
import { recordNotification } from "../../monitor/hooks/_notification.ts";
import { recordPendingTool } from "../../monitor/hooks/_pending-tool.ts";
import { hookRig, NOW } from "./hook-rig.ts";

const PERMISSION = {
	hook_event_name: "Notification",
	notification_type: "permission_prompt",
	message: "Claude needs your permission",
	session_id: "s1",
};
const PATH = `decisions/w1.${decisionFingerprint("w1", "permission_prompt", PERMISSION.message)}.json`;
const HANDLED = PATH.replace(".json", ".handled.json");

test.each([
	[
		"worker-A",
		"permission_prompt",
		"Allow Bash to run git push --force",
		"f5a582351dfd",
	],
	[
		"worker-A",
		"idle_prompt",
		"Claude is waiting for your input",
		"0894179b4af2",
	],
])("the fingerprint of %s, %s, %j is %s", (window, kind, message, fp) => {
	expect(decisionFingerprint(window, kind, message)).toBe(fp);
});

describe("decision-emit", () => {
	test("writes one record, with the tool in flight as raw text", async () => {
		const rig = hookRig();
		const tool = {
			tool_name: "Bash",
			tool_input: { command: "git push --force" },
		};
		await rig.run(recordPendingTool, tool);
		await rig.run(emitDecision, PERMISSION);
		expect(rig.json(PATH)).toEqual({
			ts: "2033-05-18T03:33:20Z",
			window: "w1",
			session_id: "s1",
			kind: "permission_prompt",
			prompt_excerpt: PERMISSION.message,
			tool_context: rig.text("pending-tool/w1.json")!.trimEnd(),
			fingerprint: decisionFingerprint(
				"w1",
				"permission_prompt",
				PERMISSION.message,
			),
		});
	});

	test.each([
		[
			{ notification: { type: "elicitation", message: "m" } },
			"elicitation",
			"m",
		],
		[{ message: "needs permission" }, "permission_prompt", "needs permission"],
		[{ message: "waiting" }, "idle_prompt", "waiting"],
		[
			{ notification_type: 7, hook_event_name: "Notification", message: "hm" },
			"Notification",
			"hm",
		],
		[{ message: 7 }, "unknown", ""],
	])("%j is of kind %s", async (payload, kind, message) => {
		const rig = hookRig();
		await rig.run(emitDecision, payload);
		const path = `decisions/w1.${decisionFingerprint("w1", kind, message)}.json`;
		expect(rig.json(path)).toMatchObject({
			kind,
			tool_context: "",
			session_id: "",
		});
	});

	test("keeps the first 20 lines, and no megabytes of one", async () => {
		const rig = hookRig();
		const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
		await rig.run(emitDecision, { message: lines.join("\n") });
		await rig.run(emitDecision, { message: "x".repeat(1_000_000) });
		const excerpts = rig
			.paths()
			.map((path) => String(rig.json(path)!.prompt_excerpt));
		expect(excerpts).toContain(lines.slice(0, 20).join("\n"));
		expect(Math.max(...excerpts.map((e) => e.length))).toBe(8000);
	});

	test("is silent about a question that was answered for good", async () => {
		const rig = hookRig();
		rig.doors.files.seed(`/state/${HANDLED}`, "anything");
		expect(await rig.run(emitDecision, PERMISSION)).toEqual({
			code: 0,
			out: [],
			err: [],
		});
		expect(rig.paths()).toEqual([HANDLED]);
	});

	test("says on standard error what is missing, and exits 0", async () => {
		const end = await hookRig({}).run(emitDecision, PERMISSION);
		expect(end.code).toBe(0);
		expect(end.err.join()).toContain("no window");
		const lost = await hookRig({ NEXUS_STATE_DIR: "" }).run(
			emitDecision,
			PERMISSION,
		);
		expect(lost.code).toBe(0);
		expect(lost.err.join()).toContain("no state dir");
	});
});

describe("the end of the turn", () => {
	test("proves a permission prompt gone, and leaves every other question unresolved", async () => {
		const rig = hookRig();
		await rig.run(emitDecision, PERMISSION);
		await rig.run(emitDecision, {
			notification_type: "idle_prompt",
			message: "m",
		});
		await rig.run(markDecisions, {});
		expect(rig.json(PATH)).toMatchObject({ resolved: true });
		expect(rig.json(PATH)).not.toHaveProperty("unresolved");
		const idle = `decisions/w1.${decisionFingerprint("w1", "idle_prompt", "m")}.json`;
		expect(rig.json(idle)).toMatchObject({ unresolved: true });
		expect(rig.json(idle)).not.toHaveProperty("resolved");
	});

	test("a question that is asked again is pending again", async () => {
		const rig = hookRig();
		await rig.run(emitDecision, PERMISSION);
		await rig.run(markDecisions, {});
		await rig.run(emitDecision, PERMISSION);
		expect(rig.json(PATH)).not.toHaveProperty("resolved");
	});

	test("touches neither other windows, nor tombstoned, damaged or marked records", async () => {
		const rig = hookRig();
		const fp = "0123456789ab";
		const seeds = {
			[`decisions/w1.x.${fp}.json`]: '{"kind":"idle_prompt"}',
			[`decisions/w2.${fp}.json`]: '{"kind":"idle_prompt"}',
			[PATH]: '{"kind":"permission_prompt"}',
			[HANDLED]: "",
			[`decisions/w1.${fp}.json`]: '{"kind":',
			"decisions/w1.aaaaaaaaaaaa.json":
				'{"kind":"startup_dialog","unresolved":true}',
		};
		for (const [path, text] of Object.entries(seeds))
			rig.doors.files.seed(`/state/${path}`, text);
		await rig.run(markDecisions, {});
		for (const [path, text] of Object.entries(seeds))
			expect(rig.text(path)).toBe(text);
	});

	test.each([
		[{ kind: "permission_prompt" }, { resolved: true }],
		[{ kind: "blocked_question" }, { unresolved: true }],
		[{ kind: 7 }, { unresolved: true }],
		[{ kind: "permission_prompt", resolved: true }, null],
		[{ kind: "idle_prompt", unresolved: true }, null],
	])("%j gets %j", (record, added) => {
		expect(markAtStop(record)).toEqual(added && { ...record, ...added });
	});
});

describe("the tool in flight", () => {
	const record = (payload: object | string | null, ...args: string[]) => {
		const rig = hookRig();
		return rig.run(recordPendingTool, payload, ...args).then(() => rig);
	};
	test("is kept with the start of its input as JSON text", async () => {
		const input = { command: "git push --force" };
		const rig = await record({ tool_name: "Bash", tool_input: input });
		expect(rig.json("pending-tool/w1.json")).toEqual({
			tool: "Bash",
			input_summary: '{"command":"git push --force"}',
			ts: NOW,
		});
	});
	test("200 characters of it, never half of one", async () => {
		const rig = await record({
			tool_name: "Write",
			tool_input: { a: "😀".repeat(300) },
		});
		const { input_summary } = rig.json("pending-tool/w1.json")!;
		expect(input_summary).toBe(`{"a":"${"😀".repeat(194)}`);
	});
	test.each([[{}], [{ tool_name: 7 }], [null], ["{"]])(
		"%j: none",
		async (payload) => {
			expect((await record(payload)).paths()).toEqual([]);
		},
	);
	test("--clear takes it away", async () => {
		const rig = await record({ tool_name: "Bash" });
		await rig.run(recordPendingTool, { tool_name: "Bash" }, "--clear");
		expect(rig.paths()).toEqual([]);
	});
	test("needs the worker's variable; a pane does not do", async () => {
		const rig = hookRig({}, "w1");
		await rig.run(recordPendingTool, { tool_name: "Bash" });
		expect(rig.paths()).toEqual([]);
	});
	test("a disk that refuses is one line on standard error", async () => {
		const rig = hookRig();
		rig.doors.files.faults.readOnly = true;
		const end = await rig.run(recordPendingTool, { tool_name: "Bash" });
		expect(end.code).toBe(0);
		expect(end.err).toHaveLength(1);
	});
});

describe("a notice", () => {
	const JOURNAL = "worker-notifications.jsonl";
	const RAW = "notification-raw-captures.jsonl";
	test("is a row for the tally, and the payload whole", async () => {
		const rig = hookRig();
		await rig.run(recordNotification, { ...PERMISSION, extra: [1] });
		expect(rig.json(JOURNAL)).toEqual({
			event: "Notification",
			notification_type: "permission_prompt",
			message: PERMISSION.message,
			window: "w1",
			session_id: "s1",
			ts: NOW,
		});
		expect(rig.json(RAW)).toEqual({
			...PERMISSION,
			extra: [1],
			nexus_window: "w1",
			nexus_capture_ts: NOW,
		});
		expect(parseNotifications(rig.text(JOURNAL)!)).toEqual([
			{ window: "w1", at: NOW },
		]);
	});

	test("of an unnamed type has the one that its words tell", async () => {
		const rig = hookRig();
		await rig.run(recordNotification, { message: "waiting for your input" });
		expect(rig.json(JOURNAL)).toMatchObject({
			notification_type: "idle_prompt",
		});
	});

	test.each(["0", "false", "no", "off", "OFF"])(
		"raw payloads are off with %j",
		async (off) => {
			const rig = hookRig({
				NEXUS_WORKER_WINDOW: "w1",
				MONITOR_RAW_CAPTURES_ENABLED: off,
			});
			await rig.run(recordNotification, PERMISSION);
			expect(rig.paths()).toEqual([JOURNAL]);
		},
	);

	test("of a session that only its pane names is no worker's: no raw payload", async () => {
		const rig = hookRig({}, "desk");
		await rig.run(recordNotification, PERMISSION);
		expect(rig.paths()).toEqual([JOURNAL]);
		expect(rig.json(JOURNAL)).toMatchObject({ window: "desk" });
	});

	test("behind a torn line costs only that line", async () => {
		const rig = hookRig();
		rig.doors.files.seed(
			`/state/${JOURNAL}`,
			'{"window":"w0","ts":1}\n{"window":"w',
		);
		await rig.run(recordNotification, PERMISSION);
		expect(
			parseNotifications(rig.text(JOURNAL)!).map((row) => row.window),
		).toEqual(["w0", "w1"]);
	});
});
