/** A question that waits for the orchestrator, and what the end of the turn makes of it (contract 08 §5.2). */
import { decisionFingerprint, writeDecision } from "../_state/decisions.ts";
import { markDecisionsAtStop } from "../_state/decisions-at-stop.ts";
import { firstCharacters } from "../_state/first-characters.ts";
import { textAt } from "../_state/json-object.ts";
import {
	notificationMessage,
	notificationType,
} from "../_state/notification-type.ts";
import { pendingToolText } from "../_state/pending-tool.ts";
import type { HookAnswer, HookCall, HookPayload } from "./_io.ts";
import { stampPlace, WORKER } from "./_stamp_path.ts";

const EXCERPT_LINES = 20;
/** Twenty lines of a screen have no more. */
const EXCERPT_CHARACTERS = 8000;

/** Notification: one pending decision a question. */
export async function emitDecision(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, files, clock, stateDir } = call;
	if (stateDir === null)
		return { stderr: "decision-emit: the environment names no state dir" };
	if (payload === null) return;
	const place = await stampPlace(call, WORKER);
	if (place === null)
		return { stderr: "decision-emit: no window is provably ours" };
	const { window } = place;
	const message = notificationMessage(payload);
	const kind = kindOf(payload);
	const done = writeDecision(files, stateDir, {
		ts: `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`,
		window,
		sessionId: textAt(payload, "session_id") ?? "",
		kind,
		promptExcerpt: firstCharacters(
			message.split("\n", EXCERPT_LINES).join("\n"),
			EXCERPT_CHARACTERS,
		),
		toolContext: pendingToolText(files, stateDir, window),
		fingerprint: decisionFingerprint(window, kind, message),
	});
	if (done.kind === "failed")
		return { stderr: `decision-emit: ${done.reason}` };
}

/** Stop: marks what was pending in the turn that ended. */
export async function markDecisions(call: HookCall): Promise<undefined> {
	const place = await stampPlace(call, WORKER);
	if (place !== null)
		markDecisionsAtStop(call.files, place.stateDir, place.window);
}

/** The kind goes into the fingerprint, and the fingerprint into a file name that others look for. */
function kindOf(payload: HookPayload): string {
	return (
		notificationType(payload) ?? textAt(payload, "hook_event_name") ?? "unknown"
	);
}
