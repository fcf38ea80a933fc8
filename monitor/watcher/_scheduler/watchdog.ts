/** The hang watchdog of async runs (contract 01 §4): how long a run may take, and what happens then. Pure. */

/** After the abort a run gets this long to settle, ms; what it then hands in is still kept. */
const ABORT_GRACE_MS = 10_000;

/**
 * Seconds a run may be in flight; 0 = no limit. Doubles with each kill in a row, up to `cap` times: a
 * fixed budget would kill a merely slow task on every fire.
 */
export function asyncBudget(
	intervalSeconds: number,
	floorSeconds: number,
	streak: number,
	cap: number,
): number {
	if (floorSeconds <= 0) return 0;
	return (
		Math.max(4 * intervalSeconds, floorSeconds) * 2 ** Math.min(streak, cap)
	);
}

export interface InFlight {
	/** Monotonic ms from which the budget counts: the launch, or the last clock gap. */
	readonly budgetFromMs: number;
	/** Monotonic ms of the abort; null while the run is within its budget. */
	readonly abortedAtMs: number | null;
}

export type WatchdogVerdict = "wait" | "abort" | "abandon";

/** First `abort`, and `abandon` when a run that was aborted does not end. A budget of 0 has no limit. */
export function watchdog(
	run: InFlight,
	budgetSeconds: number,
	monoMs: number,
): WatchdogVerdict {
	if (run.abortedAtMs !== null)
		return monoMs - run.abortedAtMs >= ABORT_GRACE_MS ? "abandon" : "wait";
	if (budgetSeconds === 0) return "wait";
	return monoMs - run.budgetFromMs >= budgetSeconds * 1000 ? "abort" : "wait";
}
