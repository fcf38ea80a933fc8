/** A turn that failed: stamp or marker, never both and never neither (contract 08 §2.7, §2.8). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseOverLimitStamp } from "../../monitor/_state/over-limit-stamp.ts";
import { parseTurnFailure } from "../../monitor/_state/turn-failure.ts";
import { classifyCause } from "../../monitor/hooks/_cause_classify.ts";
import { judgeFailedTurn } from "../../monitor/hooks/_failed-turn.ts";
import { stampOverLimit } from "../../monitor/hooks/_over-limit.ts";
import { clearStamp } from "../../monitor/hooks/_stamp-clear.ts";
import { markTurnFailure } from "../../monitor/hooks/_turn-failure.ts";
import { hookRig, NOW } from "./hook-rig.ts";

describe("the cause", () => {
	test.each([
		["SERVER_ERROR", "", "transient:paste"],
		["overloaded_error", "", "transient:paste"],
		["overloaded", "", "transient:paste"],
		["api_error", "", "transient:paste"],
		["timeout", "", "transient:paste"],
		["connection_error", "", "transient:paste"],
		["max_output_tokens", "", "transient:paste"],
		["server_error", "You hit your limit", "transient:paste"],
		[
			"unknown",
			"API Error: 400 messages.1: thinking blocks cannot be",
			"conversation:respawn",
		],
		["unknown", "API Error: 422 nope", "conversation:respawn"],
		["", "API Error: 400 nope", "conversation:respawn"],
		["", "about thinking", "conversation:respawn"],
		["", "redacted_thinking is broken", "conversation:respawn"],
		["", "You have hit your usage limit", "rate_limit:none"],
		["", "This is a rate limit", "rate_limit:none"],
		["", "You've hit your limit", "rate_limit:none"],
		["", "API Error: 503", "transient:paste"],
		["", "Overloaded", "transient:paste"],
		["", "a server-side issue", "transient:paste"],
		["", "Internal Server Error", "transient:paste"],
		["model_not_found", "", "config:respawn"],
		["not_found_error", "", "config:respawn"],
		["", "the selected model is gone", "config:respawn"],
		["", "it may not exist", "config:respawn"],
		["", "you have no access to it", "config:respawn"],
		["authentication_error", "", "auth:operator"],
		["permission_error", "", "auth:operator"],
		["forbidden", "", "auth:operator"],
		["auth_error", "", "auth:operator"],
		["", "that is forbidden", "auth:operator"],
		["", "authentication is needed", "auth:operator"],
		["authentication_failed", "", "auth:operator"],
		["billing_error", "", "auth:operator"],
		["oauth_org_not_allowed", "", "auth:operator"],
		["account_on_hold", "", "auth:operator"],
		["verification_required", "", "auth:operator"],
		["cloud_credential_error", "", "auth:operator"],
		["", "bad credentials", "auth:operator"],
		["", "Unauthorized", "auth:operator"],
		["weird_new_error", "no signal", "unknown:paste"],
		["", "", "unknown:paste"],
		["rate_limit", "You've hit your limit", "rate_limit:none"],
		["rate_limit_error", "", "rate_limit:none"],
		[
			"rate_limit",
			"API Error: Request rejected (429) · You've hit your limit · resets 3am",
			"rate_limit:none",
		],
		[
			"rate_limit",
			"API Error: Request rejected (429) · Too many tokens",
			"transient:paste",
		],
		[
			"rate_limit",
			"API Error: Server is temporarily limiting requests (not your usage limit)",
			"transient:paste",
		],
		[
			"rate_limit",
			"Slow down, this is not your usage limit",
			"transient:paste",
		],
		[
			"billing_error",
			"Server is temporarily limiting requests",
			"transient:paste",
		],
	])("%s, %j: %s", (token, message, expected) => {
		const { category, recovery } = classifyCause(token, message);
		expect(`${category}:${recovery}`).toBe(expected);
	});
});

const NOTICE =
	"You've hit your weekly limit · resets 3am (America/Los_Angeles)";
const limit = (message: string, more: object = {}) => ({
	hook_event_name: "StopFailure",
	session_id: "s1",
	error: "rate_limit",
	last_assistant_message: message,
	...more,
});

async function failedTurn(
	payload: object,
	env?: Readonly<Record<string, string>>,
) {
	const rig = hookRig(env);
	await rig.run(stampOverLimit, payload);
	await rig.run(markTurnFailure, payload);
	return rig;
}
const CAPTURES = "stopfailure-raw-captures.jsonl";

describe("the reset", () => {
	test.each([
		[NOTICE, "3am_America/Los_Angeles"],
		["You've hit your limit · resets 11pm", "11pm"],
		["You've hit your weekly limit", null],
		[
			"You've hit your weekly limit · resets Aug 4, 8:45am (Australia/Adelaide)",
			"Aug_4,_8:45am_Australia/Adelaide",
		],
		[
			"Usage limit reached. Your limit will reset at 6pm (Asia/Tokyo).",
			"6pm_Asia/Tokyo",
		],
		["Claude AI usage limit reached|1796058000", "1796058000"],
		["You've hit your limit · Reset at noon ∙ /upgrade", "noon"],
		["You've hit your limit · resets 3am\nand more", "3am"],
		[`You've hit your limit · resets ${"x".repeat(100)}`, "x".repeat(64)],
	])("%s: %p", async (message, resetAt) => {
		const rig = await failedTurn(limit(message));
		expect(rig.json("over-limit/w1.json")).toMatchObject({ reset_at: resetAt });
	});

	test.each([
		[
			{ error: undefined, error_type: "rate_limit", reset_time: "3am PT" },
			"3am PT",
		],
		[{ reset_at: "a", reset_time: "b" }, "a"],
		[{ rate_limit_reset: 1796058000 }, "1796058000"],
		[{ error: { type: "rate_limit", reset: "soon (UTC)" } }, "soon (UTC)"],
		[{ error: { type: "rate_limit", reset_at: "x", reset: "y" } }, "x"],
		[{ reset_at: ["no"], reset_time: "yes" }, "yes"],
	])("a field of its own is taken as it is: %j", async (more, resetAt) => {
		const rig = await failedTurn(limit("You've hit your limit", more));
		expect(rig.json("over-limit/w1.json")).toMatchObject({ reset_at: resetAt });
	});
});

describe("a limit of this session", () => {
	test("is a stamp of the contract's shape, and no marker", async () => {
		const rig = await failedTurn(limit(NOTICE));
		expect(rig.text("over-limit/w1.json")).toBe(
			`${JSON.stringify({
				ts: NOW,
				session_id: "s1",
				error_type: "rate_limit",
				error_message: NOTICE,
				reset_at: "3am_America/Los_Angeles",
				window: "w1",
				hook_event_name: "StopFailure",
			})}\n`,
		);
		expect(rig.paths()).toEqual(["over-limit/w1.json", CAPTURES]);
		expect(
			parseOverLimitStamp(rig.text("over-limit/w1.json")!, null),
		).toMatchObject({ at: NOW, sessionId: "s1", message: NOTICE });
	});

	test.each([
		[
			"both windows named: the worker's",
			{ NEXUS_WORKER_WINDOW: "w1", NEXUS_ORCHESTRATOR_WINDOW: "boss" },
			"over-limit/w1.json",
		],
		[
			"only the orchestrator's",
			{ NEXUS_ORCHESTRATOR_WINDOW: "orchestrator" },
			"over-limit/orchestrator.json",
		],
	])("%s", async (_, env, path) => {
		const rig = await failedTurn(limit(NOTICE), env);
		expect(rig.paths()).toEqual([path, CAPTURES]);
	});
});

describe("neither stamp nor marker", () => {
	test.each([
		["a subagent's limit", limit(NOTICE, { agent_id: "a1" })],
		["a sidechain's limit", limit(NOTICE, { isSidechain: true })],
		["a subagent's crash", { error: "server_error", agent_id: "a1" }],
	])("for %s; the payload is kept", async (_, payload) => {
		expect((await failedTurn(payload)).paths()).toEqual([CAPTURES]);
	});
	test.each([null, "{", "[]"])("for %p", async (payload) => {
		const rig = hookRig();
		await rig.run(stampOverLimit, payload);
		await rig.run(markTurnFailure, payload);
		expect(rig.paths()).toEqual([]);
	});
});

describe("a crash is a marker, and no stamp", () => {
	const throttle =
		"API Error: Server is temporarily limiting requests (not your usage limit)";
	test.each([
		[limit(throttle), "transient", "paste"],
		[
			limit("API Error: Request rejected (429) · Too many tokens"),
			"transient",
			"paste",
		],
		[{ error: "server_error" }, "transient", "paste"],
		[{ error: { type: "authentication_error" } }, "auth", "operator"],
		[{ error_type: "authentication_error" }, "auth", "operator"],
		[{ error: "API Error: 422 nope", message: "x" }, "conversation", "respawn"],
		[
			{ error: { message: "API Error: 400 thinking" } },
			"conversation",
			"respawn",
		],
		[{ error: 7, message: "API Error: 500" }, "transient", "paste"],
		[{}, "unknown", "paste"],
		// Somebody else's notice, quoted; the turn is down all the same.
		[limit(`> ${NOTICE}`), "transient", "paste"],
		[limit(`Teammate said: ${NOTICE}`), "transient", "paste"],
		[limit(`"${NOTICE}"`), "transient", "paste"],
	])("%j: %s:%s", async (payload, category, recovery) => {
		const rig = await failedTurn(payload);
		expect(rig.paths()).toEqual([CAPTURES, "turn-failure/w1.json"]);
		const marker = parseTurnFailure(rig.text("turn-failure/w1.json")!);
		expect(marker).toMatchObject({ at: NOW, category, recovery });
	});

	test("of the orchestrator, too: the watcher waits for who can mend it", async () => {
		const env = { NEXUS_ORCHESTRATOR_WINDOW: "boss" };
		const rig = await failedTurn({ error: "authentication_error" }, env);
		expect(rig.json("turn-failure/boss.json")).toMatchObject({
			category: "auth",
			recovery: "operator",
		});
	});

	test("of the contract's shape, the message cut", async () => {
		const rig = await failedTurn({
			error: "server_error",
			session_id: "s1",
			last_assistant_message: "😀".repeat(300),
		});
		expect(rig.json("turn-failure/w1.json")).toEqual({
			ts: NOW,
			error: "server_error",
			category: "transient",
			recovery: "paste",
			last_msg: "😀".repeat(200),
			session_id: "s1",
			window: "w1",
			hook_event_name: "StopFailure",
		});
	});
});

test("every failed turn of this session is exactly one of the two", () => {
	fc.assert(
		fc.property(
			fc.record({
				error: fc.oneof(
					fc.constantFrom("rate_limit", "server_error", "billing_error", ""),
					fc.jsonValue(),
				),
				last_assistant_message: fc.oneof(fc.constant(NOTICE), fc.jsonValue()),
			}),
			(payload) => {
				expect(["limit", "crash"]).toContain(judgeFailedTurn(payload).kind);
			},
		),
	);
});

describe("the journal of payloads", () => {
	test("keeps each whole, with window and time, and is nobody's to write but its owner's and group's to read", async () => {
		const rig = await failedTurn({ error: "x", odd: [1, { a: null }] });
		expect(rig.json(CAPTURES)).toEqual({
			error: "x",
			odd: [1, { a: null }],
			nexus_window: "w1",
			nexus_capture_ts: NOW,
		});
		const found = rig.doors.files.stat(`/state/${CAPTURES}`);
		expect(found).toMatchObject({ stat: { mode: 0o640 } });
	});

	test.each([
		["grows to ten MiB", 10_485_759, []],
		[
			"is put aside at ten MiB, and its rotations are kept for seven days",
			10_485_760,
			[NOW - 7 * 86_400, NOW],
		],
	])("%s, unless the environment says otherwise", async (_, size, kept) => {
		const rig = hookRig();
		const rotations = [NOW - 7 * 86_400 - 1, NOW - 7 * 86_400].map(
			(at) => `/state/${CAPTURES}.${at}`,
		);
		for (const path of rotations) rig.doors.files.seed(path, "old\n");
		rig.doors.files.seed(`/state/${CAPTURES}`, "x".repeat(size));
		await rig.run(stampOverLimit, { error: "one" });
		const expected = kept.map((at) => `/state/${CAPTURES}.${at}`);
		const found = [...rotations, `/state/${CAPTURES}.${NOW}`].filter(
			rig.doors.files.has,
		);
		expect(found).toEqual(kept.length === 0 ? rotations : expected);
	});

	test.each(["ten", "-1", "1e3", ""])("a size of %j is none", async (size) => {
		const rig = hookRig({
			NEXUS_WORKER_WINDOW: "w1",
			MONITOR_NOTIFICATIONS_LOG_MAX_BYTES: size,
		});
		rig.doors.files.seed(`/state/${CAPTURES}`, "x".repeat(2000));
		await rig.run(stampOverLimit, { error: "one" });
		expect(rig.paths()).toEqual([CAPTURES]);
	});

	test("rotates at its size, and forgets rotations past their days", async () => {
		const env = {
			NEXUS_WORKER_WINDOW: "w1",
			MONITOR_NOTIFICATIONS_LOG_MAX_BYTES: "10",
			DIFF_RETENTION_DAYS: "1",
		};
		const rig = hookRig(env);
		const old = `/state/${CAPTURES}.${NOW - 90_000}`;
		rig.doors.files.seed(old, "old\n");
		await rig.run(stampOverLimit, { error: "one" });
		expect(rig.doors.files.stat(old).kind).toBe("ok");
		await rig.run(stampOverLimit, { error: "two" });
		expect(rig.doors.files.stat(old).kind).toBe("absent");
		expect(rig.paths()).toEqual([CAPTURES, `${CAPTURES}.${NOW}`]);
		expect(rig.text(CAPTURES)).toContain('"two"');
	});
});

describe("stamp-clear", () => {
	test.each([
		["over-limit", true],
		["turn-failure", true],
		["Over-Limit", false],
		["../over-limit", false],
		["", false],
	])("%j clears: %p", async (kind, clears) => {
		const rig = hookRig();
		const paths = ["over-limit", "Over-Limit", "turn-failure"].map(
			(name) => `/state/${name}/w1.json`,
		);
		for (const path of paths) rig.doors.files.seed(path, "{}");
		await rig.run(clearStamp, {}, kind);
		const gone = paths.filter((path) => !rig.doors.files.has(path));
		expect(gone).toEqual(clears ? [`/state/${kind}/w1.json`] : []);
	});

	test("takes away what the emitters wrote, and only this window's", async () => {
		const rig = hookRig();
		rig.doors.files.seed("/state/over-limit/w2.json", "{}");
		await rig.run(stampOverLimit, limit(NOTICE));
		await rig.run(markTurnFailure, { error: "server_error" });
		await rig.run(clearStamp, {}, "over-limit");
		await rig.run(clearStamp, {}, "turn-failure");
		expect(rig.paths()).toEqual(["over-limit/w2.json", CAPTURES]);
	});

	test("without a window does nothing", async () => {
		const rig = hookRig({});
		rig.doors.files.seed("/state/over-limit/.json", "{}");
		await rig.run(clearStamp, {}, "over-limit");
		expect(rig.paths()).toEqual(["over-limit/.json"]);
	});
});
