/** Five-field schedules (contract 09 §7.1). Pure. Stricter than cron: what is not understood is refused at the start. */

export interface Cron {
	/** The text that it was read from. */
	readonly text: string;
	readonly minutes: ReadonlySet<number>;
	readonly hours: ReadonlySet<number>;
	readonly days: ReadonlySet<number>;
	/** 1–12. */
	readonly months: ReadonlySet<number>;
	/** 0 = Sunday. */
	readonly weekdays: ReadonlySet<number>;
	/** The field is more than a bare `*`. */
	readonly daysRestricted: boolean;
	readonly weekdaysRestricted: boolean;
}

const FIELDS = [
	{ name: "minute", min: 0, max: 59 },
	{ name: "hour", min: 0, max: 23 },
	{ name: "day of month", min: 1, max: 31 },
	{ name: "month", min: 1, max: 12 },
	{ name: "day of week", min: 0, max: 7 },
] as const;
type Field = (typeof FIELDS)[number];

const MINUTE_MS = 60_000;
const HORIZON_YEARS = 5;

export type CronRead =
	| { readonly kind: "ok"; readonly cron: Cron }
	| { readonly kind: "bad"; readonly why: string };

/** `bad` with the field that was not understood. Sunday is 0 and 7. */
export function readCron(text: string): CronRead {
	const words = text.trim() === "" ? [] : text.trim().split(/[ \t]+/);
	if (words.length !== FIELDS.length)
		return bad(`a schedule has five fields, not ${words.length}`);
	const sets: ReadonlySet<number>[] = [];
	for (const [i, field] of FIELDS.entries()) {
		const set = fieldSet(words[i] ?? "", field);
		if (set === null) return bad(`bad ${field.name}: ${words[i]}`);
		sets.push(set);
	}
	const [minutes = NONE, hours = NONE, days = NONE, months = NONE] = sets;
	const weekdays = new Set([...(sets[4] ?? NONE)].map((day) => day % 7));
	return {
		kind: "ok",
		cron: {
			text: words.join(" "),
			minutes,
			hours,
			days,
			months,
			weekdays,
			daysRestricted: words[2] !== "*",
			weekdaysRestricted: words[4] !== "*",
		},
	};
}

/** Null for what is no schedule. */
export function parseCron(text: string): Cron | null {
	const read = readCron(text);
	return read.kind === "ok" ? read.cron : null;
}

/**
 * First whole minute strictly after `from`, in the process's local zone; null when there is none within five years. It
 * walks real time, so that an hour that the clock repeats has its minutes twice and one that it skips has none.
 */
export function nextFire(cron: Cron, from: Date): Date | null {
	const end = new Date(from);
	end.setFullYear(end.getFullYear() + HORIZON_YEARS);
	let at = new Date(Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS);
	at = new Date(at.getTime() + MINUTE_MS);
	while (at <= end) {
		if (!isDay(cron, at)) at = nextDay(at);
		else if (!cron.hours.has(at.getHours())) at = nextHour(at);
		else if (cron.minutes.has(at.getMinutes())) return at;
		else at = new Date(at.getTime() + MINUTE_MS);
	}
	return null;
}

const NONE: ReadonlySet<number> = new Set();

/** Both day fields restricted: either may match. */
function isDay(cron: Cron, at: Date): boolean {
	if (!cron.months.has(at.getMonth() + 1)) return false;
	const day = cron.days.has(at.getDate());
	const weekday = cron.weekdays.has(at.getDay());
	return cron.daysRestricted && cron.weekdaysRestricted
		? day || weekday
		: day && weekday;
}

function nextDay(at: Date): Date {
	return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1);
}

function nextHour(at: Date): Date {
	return new Date(at.getTime() + (60 - at.getMinutes()) * MINUTE_MS);
}

function fieldSet(word: string, field: Field): ReadonlySet<number> | null {
	const set = new Set<number>();
	for (const term of word.split(",")) {
		const numbers = termNumbers(term, field);
		if (numbers === null) return null;
		for (const n of numbers) set.add(n);
	}
	return set;
}

/** `*`, `N`, `N-M`, each but `N` with `/K`. */
function termNumbers(
	term: string,
	{ min, max }: Field,
): readonly number[] | null {
	const parts =
		/^(?:(?<star>\*)|(?<from>\d{1,4})(?:-(?<to>\d{1,4}))?)(?:\/(?<step>\d{1,4}))?$/.exec(
			term,
		)?.groups;
	if (parts === undefined) return null;
	const from = parts.star ? min : Number(parts.from);
	const to = parts.star ? max : Number(parts.to ?? parts.from);
	const step = Number(parts.step ?? 1);
	// Some read `5/3` as "from 5 on", others as "5": neither may be guessed.
	if (parts.step !== undefined && !parts.star && parts.to === undefined)
		return null;
	if (from < min || to > max || from > to || step === 0) return null;
	const numbers: number[] = [];
	for (let n = from; n <= to; n += step) numbers.push(n);
	return numbers;
}

function bad(why: string): CronRead {
	return { kind: "bad", why };
}
