/** From one heartbeat to the next: what an event of Claude Code makes of it (contract 08 §3). Pure. */
import { type Heartbeat, heartbeatOf } from "./heartbeat.ts";
import { type JsonObject, textAt, valueAt } from "./json-object.ts";
import { notificationType } from "./notification-type.ts";

export const HEARTBEAT_TOKENS = [
	"busy",
	"user_prompt",
	"permission_prompt",
	"turn_end",
	"notify",
] as const;
/** What the settings call the event; they start the hook with it. */
export type HeartbeatToken = (typeof HEARTBEAT_TOKENS)[number];

/** How long a permission prompt stands against the tool use of another agent. */
const PROMPT_SECONDS = 30;

/** The new file's object; null: this event leaves the file as it is. `now` in epoch seconds. */
export function nextHeartbeat(
	prior: JsonObject | null,
	token: HeartbeatToken,
	payload: JsonObject,
	window: string,
	now: number,
): JsonObject | null {
	const event = textAt(payload, "hook_event_name");
	const sessionId = textAt(payload, "session_id");
	const agentId = textAt(payload, "agent_id");
	const before = prior === null ? null : heartbeatOf(prior);
	const own = before && isSameSession(before, sessionId) ? before : null;
	// Esc in the middle of a tool: the turn is over, and no event will say so.
	const isInterrupt = payload.is_interrupt === true;
	if (event === "SubagentStop" || isInterrupt) return null;
	if (token === "busy" && own && outlives(own, agentId, now)) return null;
	const state = stateOf(token, payload);
	const isNoticeOfPrompt =
		state === "permission_prompt" && own?.state === "permission_prompt";
	const wakeup = wakeupOf(payload, now) ?? own?.scheduledWakeupAt ?? null;
	return {
		state,
		last_activity: now,
		event,
		last_tool: textAt(payload, "tool_name"),
		session_id: sessionId,
		// The notice that follows a request does not say whose it was.
		agent_id: isNoticeOfPrompt ? own.agentId : agentId,
		window,
		external_waits: before?.externalWaits ?? [],
		dismissed_waits: before?.dismissedWaits ?? [],
		...(token === "turn_end" && { last_turn_end: now }),
		...(wakeup !== null && { scheduled_wakeup_at: wakeup }),
	};
}

/** Two known and different ids are two sessions. */
function isSameSession(before: Heartbeat, sessionId: string | null): boolean {
	return (
		before.sessionId === null ||
		sessionId === null ||
		before.sessionId === sessionId
	);
}

/** A subagent's tool use does not revive a finished turn, nor does anybody's take down another agent's prompt. */
function outlives(
	before: Heartbeat,
	agentId: string | null,
	now: number,
): boolean {
	if (before.state === "idle_prompt") return agentId !== null;
	if (before.state !== "permission_prompt") return false;
	const age = now - (before.lastActivity ?? 0);
	return Math.abs(age) <= PROMPT_SECONDS && before.agentId !== agentId;
}

function stateOf(token: HeartbeatToken, payload: JsonObject): string {
	if (token === "turn_end") return "idle_prompt";
	if (token !== "notify") return token;
	const type = notificationType(payload);
	return type === "permission_prompt" || type === "idle_prompt"
		? type
		: "notify";
}

function wakeupOf(payload: JsonObject, now: number): number | null {
	const isScheduled =
		textAt(payload, "tool_name") === "ScheduleWakeup" &&
		textAt(payload, "hook_event_name") !== "PostToolUseFailure";
	if (!isScheduled) return null;
	const delay = valueAt(payload, "tool_input", "delaySeconds");
	return Number.isSafeInteger(delay) ? now + Number(delay) : null;
}
