/** Does somebody still review this window's work (contract 08 §7, §9.1)? Pure. */
import type { Reviewer } from "../_state/review-standing.ts";
import type { SkepticPending } from "../_state/skeptic.ts";
import { ageSeconds } from "../_sys/age.ts";
import { isUnknown, type Known } from "./known.ts";

export interface ReviewFacts {
	readonly pending: SkepticPending;
	readonly reviewer: Reviewer;
	/** Newest request for this review, epoch seconds; null = none. */
	readonly requestedAt: Known<number>;
	readonly now: number;
	/** `monitor.skeptic.await_hang_seconds`: how long a marker that nobody touches is fresh. */
	readonly hangSeconds: number;
	/** `monitor.skeptic.orphan_grace_seconds`: how long a reviewer may take to come. */
	readonly graceSeconds: number;
}
export type Review =
	| { readonly kind: "none" }
	| { readonly kind: "pending"; readonly why: string }
	/** Looked, and the reviewer is gone for good: nobody will ever take the marker away. */
	| { readonly kind: "orphaned" };

/**
 * `orphaned` only when the reviewer is surely gone, nobody else was asked for lately, and its marker is young enough
 * to be believed.
 */
export function judgeReview(f: ReviewFacts): Review {
	const { pending, now } = f;
	if (pending.kind === "none") return pending;
	if (pending.kind === "unknown")
		return isPending(`its marker cannot be looked at (${pending.why})`);
	if (f.reviewer === "live") return isPending("the reviewer is at work");
	if (f.reviewer === "unknown")
		return isPending("whether a reviewer lives could not be asked");
	if (isUnknown(f.requestedAt))
		return isPending(
			`whether a reviewer was asked for could not be looked at: ${f.requestedAt.unknown}`,
		);
	const requestAge = ageSeconds(now, f.requestedAt, f.graceSeconds);
	if (requestAge !== null && requestAge <= f.graceSeconds)
		return isPending("a reviewer was asked for and may still come");
	const age = ageSeconds(now, pending.touchedAt, f.hangSeconds);
	return age !== null && age <= f.hangSeconds
		? { kind: "orphaned" }
		: isPending("nobody has touched its marker for long");
}

function isPending(why: string): Review {
	return { kind: "pending", why };
}
