/** What became of one request of an upload: go on, begin a new round, or end. Pure. */
import type { Uploaded } from "../assets.ts";
import { failureLine, type GhFailure } from "../errors.ts";
import type { Answer } from "../send.ts";

export type Step<T> =
	| { readonly kind: "ok"; readonly value: T }
	/** Somebody else pushed, or GitHub is not well: from the head anew. */
	| { readonly kind: "retry"; readonly why: string }
	| { readonly kind: "stop"; readonly end: Uploaded };

/** This request is done: go on. */
export function assetStep<T>(value: T): Step<T> {
	return { kind: "ok", value };
}

/** Somebody else moved the branch: begin a new round. */
export function retry(why: string): Step<never> {
	return { kind: "retry", why };
}

/** The upload has ended, well or not. */
export function stop(end: Uploaded): Step<never> {
	return { kind: "stop", end };
}

/** An answer as a step; which failures are worth another round is decided below. */
export function stepOf<T>(answer: Answer<T>): Step<T> {
	return answer.kind === "ok"
		? assetStep(answer.value)
		: afterFailure(answer.failure);
}

/** A limit that was met heals by its pause, which the next request waits out; one that outlasts our patience has held that request back. */
export function afterFailure(failure: GhFailure): Step<never> {
	const { kind, sent } = failure;
	const message = failureLine(failure);
	const heals =
		kind === "server" ||
		kind === "network" ||
		kind === "timeout" ||
		kind === "malformed" ||
		((kind === "rate_primary" || kind === "rate_secondary") && sent);
	if (heals) return retry(message);
	return stop({ kind: "failed", message, noToken: kind === "no_token" });
}
