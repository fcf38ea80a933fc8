/** How often a watcher's roster is looked at, as a schedule (contract 09 §10.2). Pure. */

const MINUTE = 60;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** Rounds towards looking more often. */
export function cadenceToCron(seconds: number): string {
	const minutes = Math.floor(seconds / MINUTE);
	if (minutes <= 1) return "* * * * *";
	if (minutes < HOUR_MINUTES) return `*/${minutes} * * * *`;
	if (minutes >= DAY_MINUTES) return "0 0 * * *";
	const hours = Math.floor(minutes / HOUR_MINUTES);
	return hours === 1 ? "0 * * * *" : `0 */${hours} * * *`;
}
