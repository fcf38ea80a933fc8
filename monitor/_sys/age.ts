/** Ages: how old a stamp is, whether it can be believed, and how an age is printed. */

/**
 * Age of a stamp in seconds, or null when the stamp does not count (contract 01 "Time"):
 * absent, not a number, or further ahead of `now` than the window it is measured against.
 * A stamp a little ahead (a clock stepped back) has age 0.
 */
export function ageSeconds(
	now: number,
	stamp: number | null | undefined,
	windowSeconds: number,
): number | null {
	if (stamp === null || stamp === undefined || !Number.isFinite(stamp))
		return null;
	const age = now - stamp;
	if (age < -windowSeconds) return null;
	return Math.max(0, age);
}

/** The house form of an age (contract 00, decision 8): `8m` under an hour, then `1h12m`. */
export function formatAge(seconds: number): string {
	const minutes = Math.floor(Math.max(0, seconds) / 60);
	if (minutes < 60) return `${minutes}m`;
	return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}
