/** Is the target window missing, and is that news? (contract 01 §9.2, 04 §13.) Pure. */

/** 0 there, 1 could not look, 2 tmux answered and the window is missing or holds only dead panes. */
export type Presence = 0 | 1 | 2;

export interface TargetMemory {
	/** Looks in a row that found it absent, each made by this process: elapsed time is never a miss. */
	readonly misses: number;
	/** The episode has had its ALERT. It ends only when the window is seen again. */
	readonly alerted: boolean;
	/** Looks in a row that tmux did not answer. */
	readonly blind: number;
}

export const NOTHING_SEEN: TargetMemory = {
	misses: 0,
	alerted: false,
	blind: 0,
};

export type TargetVerdict =
	/** Nothing new. */
	| "quiet"
	/** Missing, not yet believed. */
	| "missing"
	/** Missing often enough: once an episode. */
	| "absent"
	/** There again after it was missing. */
	| "back"
	/** tmux has not answered for half a minute: once, until it answers again. */
	| "blind";

/** At the 2 s cadence of the task: half a minute. */
const BLIND_LOOKS = 15;

/**
 * `confirmingPolls` misses are only counted; the next one is believed. A failed query is not an absence, and in the
 * grace after a clock gap nothing is judged: both set the count back to 0.
 */
export function targetVerdict(
	prev: TargetMemory,
	presence: Presence,
	afterGap: boolean,
	confirmingPolls: number,
): { readonly next: TargetMemory; readonly verdict: TargetVerdict } {
	if (presence === 1) {
		const next = { ...prev, misses: 0, blind: prev.blind + 1 };
		return { next, verdict: next.blind === BLIND_LOOKS ? "blind" : "quiet" };
	}
	if (presence === 0) {
		const missed = prev.misses > 0 || prev.alerted || prev.blind >= BLIND_LOOKS;
		return { next: NOTHING_SEEN, verdict: missed ? "back" : "quiet" };
	}
	if (afterGap)
		return { next: { ...prev, misses: 0, blind: 0 }, verdict: "quiet" };
	const misses = prev.misses + 1;
	const believed = misses > confirmingPolls;
	const next = { misses, alerted: prev.alerted || believed, blind: 0 };
	if (prev.alerted) return { next, verdict: "quiet" };
	return { next, verdict: believed ? "absent" : "missing" };
}
