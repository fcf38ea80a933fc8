/**
 * When the next sweep may not wait for its cadence. Rows are told by `compose_emit`, on a cadence of its own: a sweep that
 * begins in the same second hands its rows over a moment too late, and then they wait for a whole cycle, each time (both
 * cadences begin together, and one divides the other). And a worker that is one second short of the idle threshold would
 * wait for another sweep. So a death was told after 90 to 120 seconds. Pure.
 */

export interface SweepTimes {
	/** The end of this sweep. All in epoch seconds. */
	readonly now: number;
	/** When the cadence sweeps again. */
	readonly nextAt: number;
	/** When the first of the workers that are still too young for a row is old enough; null: none is. */
	readonly dueAt: number | null;
	/** When `compose_emit` begins next; null: it is not there. */
	readonly composeAt: number | null;
}

/** Seconds before the compose: time enough for the look and for what is staged. */
const LEAD = 10;

/** Null: the cadence will do. */
export function earlierSweep({
	now,
	nextAt,
	dueAt,
	composeAt,
}: SweepTimes): number | null {
	const wanted = [dueAt, composeAt === null ? null : composeAt - LEAD]
		.filter((at) => at !== null)
		.filter((at) => at > now && at < nextAt);
	return wanted.length === 0 ? null : Math.min(...wanted);
}
