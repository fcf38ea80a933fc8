/** The stamp of a session that hit its usage limit, and every failed turn's payload as evidence (contract 08 §2.7). */
import { textAt, valueAt } from "../_state/json-object.ts";
import { writeOverLimitStamp } from "../_state/over-limit-stamp.ts";
import {
	appendCapture,
	stopFailureCapturesPath,
} from "../_state/raw-captures.ts";
import { resetToken, resetWords } from "../_state/reset-words.ts";
import { errorMessage, errorType, judgeFailedTurn } from "./_failed-turn.ts";
import type { HookAnswer, HookCall, HookPayload } from "./_io.ts";
import { stampPlace, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

/** StopFailure: keeps the payload as evidence, and stamps the window of a session that hit its limit. */
export async function stampOverLimit(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, files, clock } = call;
	if (payload === null) return;
	const place = await stampPlace(call, WORKER_OR_ORCHESTRATOR);
	if (place === null) return;
	const { stateDir, window } = place;
	const captures = stopFailureCapturesPath(stateDir);
	appendCapture(call, captures, { payload, window });
	if (judgeFailedTurn(payload).kind !== "limit") return;
	const message = errorMessage(payload);
	const done = writeOverLimitStamp(files, stateDir, window, {
		at: clock.now(),
		sessionId: textAt(payload, "session_id"),
		errorType: errorType(payload),
		message,
		resetAt: resetOf(payload, message),
	});
	if (done.kind === "failed")
		return { stderr: `over-limit-emit: ${done.reason}` };
}

const RESET_FIELDS = [
	["reset_at"],
	["reset_time"],
	["rate_limit_reset"],
	["error", "reset_at"],
	["error", "reset"],
] as const;

/** A field of its own is taken as it is; null: the message names no reset. */
function resetOf(payload: HookPayload, message: string): string | null {
	for (const path of RESET_FIELDS) {
		const value = valueAt(payload, ...path);
		if (typeof value === "number" && Number.isFinite(value))
			return String(value);
		const text = textAt(payload, ...path);
		if (text !== null) return text;
	}
	const words = resetWords(message);
	const token = words === null ? "unknown" : resetToken(words);
	return token === "unknown" ? null : token;
}
