/** Reset words of a usage limit to an instant (contract 04 §9.2). Pure in (token, now, host zone). */
import {
	instantOf,
	isDate,
	isZone,
	wallTimeAt,
	weekdayOf,
} from "./zoned-time.ts";

export type Reset =
	| { readonly kind: "known"; readonly at: number }
	/** `guess` only schedules the next look; it is never told as a fact. */
	| { readonly kind: "unknown"; readonly guess: number };

/**
 * `token` as stamped or shown (`3am_America/Los_Angeles`, `Jun 3 at 4pm (Europe/Berlin)`, ten
 * digits). `now` and `at` are epoch seconds. A reset in the past is due now; one that is more than
 * eight days away on either side is unknown. Without a zone the host's counts.
 */
export function resetInstant(
	token: string,
	now: number,
	hostZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Reset {
	const at = parse(plainWords(token), now, hostZone);
	return at === null
		? { kind: "unknown", guess: now + GUESS_SECONDS }
		: { kind: "known", at };
}

const GUESS_SECONDS = 21600;
const HORIZON_SECONDS = 8 * 86400;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

const MONTH =
	"(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DATE = `${MONTH} (?<date>\\d{1,2})(?:,? (?<year>\\d{4}))?`;
const WEEKDAY =
	"(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?)";
const TIME =
	"(?:(?<h12>\\d{1,2})(?::(?<m12>\\d{2}))? ?(?<half>am|pm)|(?<h24>\\d{1,2}):(?<m24>\\d{2})|(?<word>noon|midnight))";
const TOKEN = new RegExp(
	`^(?:at )?(?:(?:${DATE}|${WEEKDAY}|(?<relative>today|tomorrow))(?:,? at |,? ))?${TIME}(?: (?<zone>[a-z].*))?$`,
	"i",
);

function plainWords(token: string): string {
	return token
		.replace(/[\x00-\x1f\x7f-\x9f"'`()]/g, "")
		.replace(/[\s_\u00a0]+/g, " ")
		.trim();
}

function parse(words: string, now: number, hostZone: string): number | null {
	if (/^\d{10}$/.test(words)) return near(Number(words), now);
	const parts = TOKEN.exec(words)?.groups;
	const time = parts && timeOf(parts);
	if (!parts || !time) return null;
	// The blanks of a zone's name were underscores before the words were made plain.
	const named = parts.zone?.replaceAll(" ", "_");
	if (named !== undefined && !isZone(named)) return null;
	const zone = named ?? hostZone;
	const today = wallTimeAt(now, zone);
	const on = (day: number) => instantOf({ ...today, ...time, day }, zone);
	if (parts.month !== undefined) return onDate(parts, time, now, zone);
	if (parts.weekday !== undefined) {
		const wanted = WEEKDAYS.indexOf(parts.weekday.slice(0, 3).toLowerCase());
		const ahead = (wanted - weekdayOf(today) + 7) % 7;
		const at = on(today.day + ahead);
		return at > now ? at : on(today.day + ahead + 7);
	}
	if (parts.relative !== undefined)
		return near(on(today.day + (/today/i.test(parts.relative) ? 0 : 1)), now);
	const at = on(today.day);
	return at > now ? at : on(today.day + 1);
}

type Parts = Readonly<Record<string, string | undefined>>;
interface Time {
	readonly hour: number;
	readonly minute: number;
}

function timeOf(parts: Parts): Time | null {
	if (parts.word !== undefined)
		return { hour: /noon/i.test(parts.word) ? 12 : 0, minute: 0 };
	const minute = Number(parts.m12 ?? parts.m24 ?? 0);
	if (minute > 59) return null;
	if (parts.h24 !== undefined) {
		const hour = Number(parts.h24);
		return hour > 23 ? null : { hour, minute };
	}
	const hour = Number(parts.h12);
	if (hour < 1 || hour > 12) return null;
	return {
		hour: (hour % 12) + (/pm/i.test(parts.half ?? "") ? 12 : 0),
		minute,
	};
}

/** A date without a year takes the one that brings it nearest to now. */
function onDate(
	parts: Parts,
	time: Time,
	now: number,
	zone: string,
): number | null {
	const month =
		MONTHS.indexOf((parts.month ?? "").slice(0, 3).toLowerCase()) + 1;
	const day = Number(parts.date);
	const thisYear = wallTimeAt(now, zone).year;
	const years =
		parts.year === undefined
			? [thisYear - 1, thisYear, thisYear + 1]
			: [Number(parts.year)];
	const instants = years
		.filter((year) => isDate(year, month, day))
		.map((year) => instantOf({ year, month, day, ...time }, zone));
	if (instants.length === 0) return null;
	const distance = (at: number) => Math.abs(at - now);
	const nearest = instants.reduce((a, b) =>
		distance(b) < distance(a) ? b : a,
	);
	return near(nearest, now);
}

function near(at: number, now: number): number | null {
	return Math.abs(at - now) <= HORIZON_SECONDS ? at : null;
}
