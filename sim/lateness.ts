/**
 * How late the timers of an idle process come. A machine that is loaded, or saves its power, wakes who
 * waits for nothing but the time when it likes; here it does so while nothing else happens, which makes calm hours
 * cheap to play.
 */

import type { FakeClock } from "../tests/fakes/clock.ts";
import { fakeRandom } from "../tests/fakes/random.ts";

/** A minute longer than the loop may sleep is lost time to it (contract 01 §3.3), and that is the fault `stalls`. */
const STILL_A_SLEEP_MS = 50_000;
/** After anything that happens the machine is awake, and everybody is in time, for at most so long; mostly for less than a third of it. */
const AWAKE_MS = 5_000;
/** What happens wakes the machine, at most so much later: nobody's timer keeps step with it. */
const OVERSLEPT_MS = 2_000;
/** Shorter sleeps are steps of something in hand. */
const SHORT_MS = 1_000;

export interface Lateness {
	/** How late a sleep of so many ms ends that begins now; hardly past the next thing that happens. */
	of(ms: number): number;
	/** The next act of the night, monotonic ms; what was expected before has happened. */
	expect(atMs: number): void;
	/** Is anybody late from now on? */
	is(late: boolean): void;
	/** No sleep takes longer than this, ms. */
	readonly longestMs: number;
}

export function latenessOf(
	clock: Pick<FakeClock, "monoMs" | "happenings">,
	seed: number,
	night: { readonly isLate: boolean; readonly maxSleepSeconds: number },
): Lateness {
	const longestMs = night.maxSleepSeconds * 1_000 + STILL_A_SLEEP_MS;
	let { isLate } = night;
	const random = fakeRandom(seed + 1);
	let lastActMs = Number.NEGATIVE_INFINITY;
	let nextActMs = Number.POSITIVE_INFINITY;
	let seenMs = Number.NaN;
	let awakeUntilMs = 0;
	const isAwake = (happenedMs: number): boolean => {
		if (happenedMs !== seenMs) {
			seenMs = happenedMs;
			awakeUntilMs = happenedMs + random.float() ** 2 * AWAKE_MS;
		}
		return clock.monoMs() < awakeUntilMs;
	};
	return {
		of: (ms) => {
			if (!isLate || ms < SHORT_MS) return 0;
			const { lastMs, nextMs } = clock.happenings();
			if (isAwake(Math.max(lastMs, lastActMs))) return 0;
			const soonMs =
				Math.min(nextMs, nextActMs) + random.float() * OVERSLEPT_MS;
			const room = soonMs - (clock.monoMs() + ms);
			const late = longestMs * (1 - random.float() / 4) - ms;
			return Math.max(0, Math.floor(Math.min(room, late)));
		},
		expect: (atMs) => {
			lastActMs = clock.monoMs();
			nextActMs = atMs;
		},
		is: (late) => {
			isLate = late;
		},
		longestMs,
	};
}
