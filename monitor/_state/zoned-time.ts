/** Wall time in a time zone to an instant and back. Pure; the zone data is the platform's. */

export interface WallTime {
	readonly year: number;
	/** 1–12. */
	readonly month: number;
	readonly day: number;
	readonly hour: number;
	readonly minute: number;
}

/** An IANA name, `UTC`, `GMT` or `Z`; abbreviations are none, for half the world shares them. */
export function isZone(name: string): boolean {
	if (!/^(?:UTC|GMT|Z)$|\//i.test(name)) return false;
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
}

/** Wall time of an instant (epoch seconds). */
export function wallTimeAt(epochSeconds: number, zone: string): WallTime {
	const parts = Object.fromEntries(
		formatOf(zone)
			.formatToParts(epochSeconds * 1000)
			.map((part) => [part.type, Number(part.value)]),
	);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
	return { year, month, day, hour: hour % 24, minute };
}

/**
 * Epoch seconds of a wall time. One that the clocks skip moves forward by the gap; of one that
 * happens twice the first counts. The day may run over the month's end.
 */
export function instantOf(wall: WallTime, zone: string): number {
	const asUtc = utcSeconds(wall);
	const before = asUtc - offsetAt(asUtc - DAY, zone);
	const after = asUtc - offsetAt(asUtc + DAY, zone);
	const fits = (at: number) => at + offsetAt(at, zone) === asUtc;
	const first = Math.min(before, after);
	if (fits(first)) return first;
	return fits(Math.max(before, after)) ? Math.max(before, after) : before;
}

/** Does the calendar have this day? */
export function isDate(year: number, month: number, day: number): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** 0 = Sunday. */
export function weekdayOf(wall: WallTime): number {
	return new Date(utcSeconds(wall) * 1000).getUTCDay();
}

const DAY = 86400;

function utcSeconds(w: WallTime): number {
	return Date.UTC(w.year, w.month - 1, w.day, w.hour, w.minute) / 1000;
}

/** Seconds that the zone's clocks are ahead of UTC at that instant; whole minutes. */
function offsetAt(epochSeconds: number, zone: string): number {
	const minute = Math.floor(epochSeconds / 60) * 60;
	return utcSeconds(wallTimeAt(minute, zone)) - minute;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known) return known;
	const made = new Intl.DateTimeFormat("en-US", {
		timeZone: /^z$/i.test(zone) ? "UTC" : zone,
		hourCycle: "h23",
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric",
	});
	formats.set(zone, made);
	return made;
}
