/**
 * Did the watcher itself lose time? (contract 01 §3.3, 00 C8.) After a suspend, an NTP step or a stopped
 * process every age on disk is large and nothing is wrong: no verdict may rest on it. Pure.
 */

export interface ClockReading {
	/** Wall clock, epoch seconds. */
	readonly wallSeconds: number;
	/** Monotonic clock, ms from an arbitrary start. */
	readonly monoMs: number;
}

export interface GapLimits {
	/** The longest the loop meant to sleep between the two readings. */
	readonly maxSleepSeconds: number;
	readonly intervalSeconds: number;
}

export type ClockGap =
	| { readonly kind: "none" }
	| {
			readonly kind: "gap";
			readonly wallSeconds: number;
			readonly monoSeconds: number;
			/** How long nothing is judged dead. */
			readonly graceSeconds: number;
			/** What to add to every epoch the scheduler holds; 0 unless the wall clock stepped back. */
			readonly shiftSeconds: number;
	  };

const STARVED_SECONDS = 60;
const STEP_SECONDS = 30;
const MIN_GRACE_SECONDS = 120;

/**
 * A gap when either clock went on for longer than the sleep allows, or the two drifted apart. `graceSeconds` is how
 * long verdicts on ages stay open; `shiftSeconds` is negative after a step back, else 0.
 */
export function clockGap(
	prev: ClockReading,
	cur: ClockReading,
	limits: GapLimits,
): ClockGap {
	const wall = cur.wallSeconds - prev.wallSeconds;
	const mono = (cur.monoMs - prev.monoMs) / 1000;
	const allowed = limits.maxSleepSeconds + STARVED_SECONDS;
	const drift = wall - mono;
	if (wall <= allowed && mono <= allowed && Math.abs(drift) <= STEP_SECONDS)
		return { kind: "none" };
	return {
		kind: "gap",
		wallSeconds: Math.round(wall),
		monoSeconds: Math.round(mono),
		graceSeconds: Math.max(2 * limits.intervalSeconds, MIN_GRACE_SECONDS),
		shiftSeconds: drift < -STEP_SECONDS ? Math.round(drift) : 0,
	};
}
