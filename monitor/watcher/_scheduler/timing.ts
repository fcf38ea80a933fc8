/** When a task is due: plain numbers, every change a pure function (contract 01 §4). All values are epoch seconds or seconds. */

export interface Override {
	readonly intervalSeconds: number;
	readonly until: number;
}

export interface Timing {
	readonly intervalSeconds: number;
	readonly override: Override | null;
	/** 0 = due at the next tick, whatever the clock says. */
	readonly nextFire: number;
	/** End of the last sync run, launch of the last async one; 0 = never. */
	readonly lastFire: number;
}

/** A run that answers this is put off, without being a failure (EX_TEMPFAIL). */
export const RC_DEFER = 75;

/** Due at once. */
export function firstTiming(intervalSeconds: number): Timing {
	return { intervalSeconds, override: null, nextFire: 0, lastFire: 0 };
}

/** Next due time after a run that ended with `rc`. A healthy run is back on its base cadence at once. */
export function nextFire(t: Timing, rc: number, now: number): number {
	const wait = rc === RC_DEFER ? deferral(t, now) : effectiveInterval(t, now);
	return Math.max(t.lastFire + wait, now + 1);
}

/** An async run that asks for deferral was scheduled at its launch; this moves it back, never forward. */
export function deferAsync(t: Timing, now: number): Timing {
	const nextFire = Math.max(t.nextFire, t.lastFire + deferral(t, now));
	return { ...t, nextFire };
}

/** Whether it may fire at `now`. */
export function isDue(t: Timing, now: number): boolean {
	return t.nextFire <= now;
}

/** A shorter cadence for a while; the latest override wins. It pulls a later fire forward, but leaves 0 ("at once") alone. */
export function withOverride(
	t: Timing,
	intervalSeconds: number,
	durationSeconds: number,
	now: number,
): Timing {
	return {
		...t,
		override: { intervalSeconds, until: now + durationSeconds },
		nextFire: Math.min(t.nextFire, now + intervalSeconds),
	};
}

/** The usual interval again once the override's time is over. */
export function withoutExpiredOverride(t: Timing, now: number): Timing {
	return t.override !== null && t.override.until <= now
		? { ...t, override: null }
		: t;
}

/** Every epoch it holds moves with a wall clock that stepped back, so that nothing waits for the lost hour (contract 01 §3.3). */
export function shifted(t: Timing, seconds: number): Timing {
	const move = (epoch: number) =>
		epoch === 0 ? 0 : Math.max(1, epoch + seconds);
	return {
		...t,
		nextFire: move(t.nextFire),
		lastFire: move(t.lastFire),
		override:
			t.override === null
				? null
				: { ...t.override, until: move(t.override.until) },
	};
}

/** How long to sleep, in seconds: until the soonest due time, at least 1, at most `maxSleepSeconds`. */
export function sleepSeconds(
	timings: readonly Timing[],
	now: number,
	maxSleepSeconds: number,
): number {
	const soonest = Math.min(
		...timings.map((t) => t.nextFire - now),
		maxSleepSeconds,
	);
	return Math.max(1, soonest);
}

function effectiveInterval(t: Timing, now: number): number {
	return t.override !== null && t.override.until > now
		? t.override.intervalSeconds
		: t.intervalSeconds;
}

function deferral(t: Timing, now: number): number {
	const doubled = 2 * effectiveInterval(t, now);
	return t.intervalSeconds > 0
		? Math.min(doubled, 4 * t.intervalSeconds)
		: doubled;
}
