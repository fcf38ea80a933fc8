/** A turn that ended in an API error: a usage limit's stamp, or a crash's marker, never both and never neither (contract 08 §2.7, §2.8). */
import { textAt, valueAt } from "../_state/json-object.ts";
import { writeOverLimitStamp } from "../_state/over-limit-stamp.ts";
import {
	appendCapture,
	stopFailureCapturesPath,
} from "../_state/raw-captures.ts";
import { resetToken, resetWords } from "../_state/reset-words.ts";
import { writeTurnFailure } from "../_state/turn-failure.ts";
import { type Cause, classifyCause } from "./_cause_classify.ts";
import type { HookAnswer, HookCall, HookPayload } from "./_io.ts";
import { stampPlace, WORKER, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

export type FailedTurn =
	/** This session's own usage limit. */
	| { readonly kind: "limit" }
	| { readonly kind: "crash"; readonly cause: Cause }
	/** A subagent's or teammate's: its parent's business. */
	| { readonly kind: "foreign" };

export function judgeFailedTurn(payload: HookPayload): FailedTurn {
	const isForeign =
		textAt(payload, "agent_id") !== null || payload.isSidechain === true;
	if (isForeign) return { kind: "foreign" };
	const message = errorMessage(payload);
	const cause = classifyCause(errorType(payload), message);
	if (cause.category !== "rate_limit") return { kind: "crash", cause };
	// The notice is quoted, so the limit is somebody else's; the turn is down all the same.
	if (/^(?:>|Teammate |["'“‘«„])/.test(message.trimStart()))
		return {
			kind: "crash",
			cause: { category: "transient", recovery: "paste" },
		};
	return { kind: "limit" };
}

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
	return failed("over-limit-emit", done);
}

/** StopFailure of a worker: marks a crash, which looks like a finished turn on the screen. */
export async function markTurnFailure(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, files, clock } = call;
	const turn = payload === null ? null : judgeFailedTurn(payload);
	if (payload === null || turn?.kind !== "crash") return;
	const place = await stampPlace(call, WORKER);
	if (place === null) return;
	const { stateDir, window } = place;
	const done = writeTurnFailure(files, stateDir, window, {
		at: clock.now(),
		error: errorType(payload),
		category: turn.cause.category,
		recovery: turn.cause.recovery,
		message: errorMessage(payload),
		sessionId: textAt(payload, "session_id"),
	});
	return failed("turn-failure-emit", done);
}

/** Real payloads carry it in `error`; who looked in `error_type` alone missed every real event. */
function errorType(payload: HookPayload): string {
	return (
		textAt(payload, "error") ??
		textAt(payload, "error_type") ??
		textAt(payload, "error", "type") ??
		""
	);
}

function errorMessage(payload: HookPayload): string {
	return (
		textAt(payload, "last_assistant_message") ??
		textAt(payload, "error", "message") ??
		textAt(payload, "error") ??
		textAt(payload, "message") ??
		""
	);
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

function failed(
	program: string,
	done: ReturnType<typeof writeTurnFailure>,
): HookAnswer | undefined {
	if (done.kind === "failed") return { stderr: `${program}: ${done.reason}` };
}
