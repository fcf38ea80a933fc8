/** Nights that cost less than one and may break the same: tried before single happenings are left out. */
import type { Night, Schedule } from "./schedule.ts";

/** What anything needs to come to rest, mostly. */
const LONGEST_GAP_MS = 30 * 60_000;
/** With every timer in time a longer night takes minutes. */
const LONGEST_PUNCTUAL_MS = 12 * 3_600_000;

/** Of its happenings the first so many: those that had happened when it broke. */
export function upTo(acts: number): (night: Night) => Night {
	return (night) =>
		acts < night.schedule.length
			? { ...night, schedule: night.schedule.slice(0, acts) }
			: night;
}

/** Without the long silences between its happenings. */
export function closer(night: Night): Night {
	let lastMs = 0;
	let cutMs = 0;
	const schedule: Schedule = night.schedule.map(({ atMs, act }) => {
		cutMs += Math.max(0, atMs - lastMs - LONGEST_GAP_MS);
		lastMs = atMs;
		return { atMs: atMs - cutMs, act };
	});
	return cutMs > 0 ? { ...night, schedule } : night;
}

/** With every timer in time, unless that takes too long to play. */
export function punctual(night: Night): Night {
	const endMs = night.schedule.at(-1)?.atMs ?? 0;
	return night.isLate && endMs <= LONGEST_PUNCTUAL_MS
		? { ...night, isLate: false }
		: night;
}
