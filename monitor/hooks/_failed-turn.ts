/**
 * A turn that ended in an API error: this session's usage limit, a crash, or somebody else's (contract 08 §2.7, §2.8). Pure.
 * Of the two hooks that ask, exactly one writes: no crash of a session's own turn stays unseen.
 */
import { textAt } from "../_state/json-object.ts";
import { type Cause, classifyCause } from "./_cause_classify.ts";
import type { HookPayload } from "./_io.ts";

export type FailedTurn =
	/** This session's own usage limit. */
	| { readonly kind: "limit" }
	| { readonly kind: "crash"; readonly cause: Cause }
	/** A subagent's or teammate's: its parent's business. */
	| { readonly kind: "foreign" };

/** `foreign`: a subagent's turn, of which its session hears by itself. */
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

/** Real payloads carry it in `error`; who looked in `error_type` alone missed every real event. */
export function errorType(payload: HookPayload): string {
	return (
		textAt(payload, "error") ??
		textAt(payload, "error_type") ??
		textAt(payload, "error", "type") ??
		""
	);
}

/** Where each release of Claude Code has put it; empty for none. */
export function errorMessage(payload: HookPayload): string {
	return (
		textAt(payload, "last_assistant_message") ??
		textAt(payload, "error", "message") ??
		textAt(payload, "error") ??
		textAt(payload, "message") ??
		""
	);
}
