/** What a hook says of its own work (contract 08 §1.1): nothing where it went well, one line where the disk refused. */
import { describe, expect, test } from "bun:test";
import { writeDecision } from "../../monitor/_state/decisions.ts";
import { emitDecision, markDecisions } from "../../monitor/hooks/_decision.ts";
import { writeHeartbeat } from "../../monitor/hooks/_heartbeat.ts";
import type { Hook } from "../../monitor/hooks/_io.ts";
import { recordNotification } from "../../monitor/hooks/_notification.ts";
import { pinOrchestrator } from "../../monitor/hooks/_orchestrator-pin.ts";
import { touchOrchestrator } from "../../monitor/hooks/_orchestrator-touch.ts";
import { stampOverLimit } from "../../monitor/hooks/_over-limit.ts";
import { recordPendingTool } from "../../monitor/hooks/_pending-tool.ts";
import { clearStamp } from "../../monitor/hooks/_stamp-clear.ts";
import { markTurnFailure } from "../../monitor/hooks/_turn-failure.ts";
import { type HookRig, hookRig, STATE } from "./hook-rig.ts";

const TOOL = { tool_name: "Bash", tool_input: { command: "true" } };
const NOTICE = { notification_type: "idle_prompt", message: "Waiting" };
const LIMIT = { error: "rate_limit", last_assistant_message: "hit your limit" };
const CRASH = { error: "server_error" };
const SESSION = { session_id: "0b6d1f60-7f43-4d3e-9d0e-2f8f5f0c8a11" };

const HOOKS: readonly (readonly [
	name: string,
	hook: Hook,
	payload: object,
	argument: string,
	/** How its line begins when the disk refuses; null: it has none. */
	refusal: string | null,
])[] = [
	[
		"pending-tool-record",
		recordPendingTool,
		TOOL,
		"",
		"pending-tool-record: EROFS",
	],
	[
		"pending-tool-record",
		recordPendingTool,
		TOOL,
		"--clear",
		"pending-tool-record: EROFS",
	],
	["worker-heartbeat", writeHeartbeat, TOOL, "busy", null],
	["worker-heartbeat", writeHeartbeat, {}, "user_prompt", null],
	["notification-record", recordNotification, NOTICE, "", "EROFS"],
	["decision-emit", emitDecision, NOTICE, "", "decision-emit: EROFS"],
	["decision-mark-unresolved", markDecisions, {}, "", null],
	["over-limit-emit", stampOverLimit, LIMIT, "", "over-limit-emit: EROFS"],
	["turn-failure-emit", markTurnFailure, CRASH, "", "turn-failure-emit: EROFS"],
	["stamp-clear", clearStamp, {}, "over-limit", null],
	["orchestrator-session-pin", pinOrchestrator, SESSION, "", null],
	["orchestrator-touch", touchOrchestrator, {}, "heartbeat", null],
];

/** A window with a question that waits and a stamp to clear. */
function rigWithWork(): HookRig {
	const rig = hookRig();
	rig.doors.files.seed(`${STATE}/over-limit/w1.json`, "{}");
	writeDecision(rig.doors.files, STATE, {
		ts: "2033-05-18T03:33:20Z",
		window: "w1",
		sessionId: "s1",
		kind: "idle_prompt",
		promptExcerpt: "Waiting",
		toolContext: "",
		fingerprint: "0894179b4af2",
	});
	return rig;
}

describe.each(HOOKS)("%s", (_, hook, payload, argument, refusal) => {
	test(`${argument} says nothing of what went well`, async () => {
		const end = await rigWithWork().run(hook, payload, argument);
		expect(end).toEqual({ code: 0, out: [], err: [] });
	});

	test(`${argument} on a disk that refuses blocks nobody`, async () => {
		const rig = rigWithWork();
		rig.doors.files.faults.readOnly = true;
		const end = await rig.run(hook, payload, argument);
		expect(end).toMatchObject({ code: 0, out: [] });
		const said = end.err.join("\n");
		if (refusal === null) expect(said).toBe("");
		else expect(said).toContain(refusal);
	});
});
