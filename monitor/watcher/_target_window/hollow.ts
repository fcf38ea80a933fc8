/**
 * The target's window is there, and no agent is in it: somebody's shell, left by an orchestrator that he had started by
 * hand. It is not closed, because a person may be at work in it; he is told. Pure.
 */

export interface HollowMemory {
	/** Looks in a row that found it so. */
	readonly looks: number;
	readonly isTold: boolean;
}

export const NOT_HOLLOW: HollowMemory = { looks: 0, isTold: false };

/** One look may fall between two programs. */
const BELIEVED_LOOKS = 3;

/** `isEmpty` null: could not look, or not provably empty. `isNews`: once an episode. */
export function hollowVerdict(
	prev: HollowMemory,
	isEmpty: boolean | null,
): { readonly next: HollowMemory; readonly isNews: boolean } {
	if (isEmpty === null) return { next: { ...prev, looks: 0 }, isNews: false };
	if (!isEmpty) return { next: NOT_HOLLOW, isNews: false };
	const looks = prev.looks + 1;
	const isNews = !prev.isTold && looks >= BELIEVED_LOOKS;
	return { next: { looks, isTold: prev.isTold || isNews }, isNews };
}
