/** May this window be retired (contract 08 §9.1)? Pure. Any doubt is a no; the order of the questions is the contract's. */
import { type Standing, standingOf } from "../_pane/gates.ts";
import { ageSeconds } from "../_sys/age.ts";
import { isUnknown, type Known } from "./known.ts";
import type { Review } from "./review.ts";

export interface RetireFacts {
	/** Whose window this is that is never retired; null: a worker's, as far as its name tells. */
	readonly standsFor: string | null;
	readonly pane: {
		readonly state: string;
		readonly standing: Standing;
		/** What made a state doubtful: `conflict=…`, `menu=1`. */
		readonly doubt: string | null;
	};
	readonly review: Review;
	/** The last prompt that was submitted there. */
	readonly submit: Known<{
		readonly at: number;
		readonly sessionId: string | null;
	}>;
	/** Newest input of ours, epoch seconds. */
	readonly machineAt: Known<number>;
	/** The session that was started there. */
	readonly ownSessionId: string | null;
	/** The operator works there. */
	readonly marked: Known<true>;
	readonly now: number;
	readonly freshSeconds: number;
	readonly slackSeconds: number;
}
export interface RetireVerdict {
	readonly safe: boolean;
	readonly reason: string;
	/** For people, beside the verdict. */
	readonly note: string | null;
}

/** `note` tells what was passed over. */
export function decideRetire(f: RetireFacts): RetireVerdict {
	// An idle orchestrator waits for its next report; nothing else about its window speaks against a kill.
	if (f.standsFor !== null) return no(`this is ${f.standsFor}`);
	const { state, standing, doubt } = f.pane;
	if (standing === "active") return no(activeReason(state));
	if (standing === "indeterminate")
		return no(
			doubt === null || standingOf(state) === "indeterminate"
				? `pane state ${state} is indeterminate: it proves nothing`
				: `pane state ${state} is indeterminate: ${doubt}`,
		);
	const { review } = f;
	if (review.kind === "pending") return no(`under review: ${review.why}`);
	const note =
		review.kind === "orphaned"
			? "a review is marked as pending, but its reviewer is gone and nobody else was asked for: the marker is passed over"
			: null;
	const submitted = operatorSubmitted(f);
	if (submitted !== null) return no(submitted, note);
	if (f.marked !== null)
		return no(
			f.marked === true
				? "the operator is engaged in this window"
				: `whether the operator is engaged could not be read: ${f.marked.unknown}`,
			note,
		);
	return { safe: true, reason: `pane is ${state} and nobody needs it`, note };
}

/** A window was once killed 9 s after the operator had typed into it, on a picture 40 s old. */
function operatorSubmitted(f: RetireFacts): string | null {
	const { submit, machineAt } = f;
	if (submit === null) return null;
	if (isUnknown(submit))
		return `the last submit could not be read: ${submit.unknown}`;
	if (isUnknown(machineAt))
		return `whose the last submit is could not be read: ${machineAt.unknown}`;
	// A session wakes itself, too: that is no person.
	if (submit.sessionId !== null && submit.sessionId === f.ownSessionId)
		return null;
	if (submit.at <= (machineAt ?? 0) + f.slackSeconds) return null;
	const age = ageSeconds(f.now, submit.at, f.freshSeconds);
	if (age === null || age > f.freshSeconds) return null;
	return `fresh operator submit ${age}s ago`;
}

function activeReason(state: string): string {
	return state === "user-typing"
		? "somebody is typing in the pane"
		: `pane is active: ${state}`;
}

function no(reason: string, note: string | null = null): RetireVerdict {
	return { safe: false, reason, note };
}
