import { expect, test } from "bun:test";
import fc from "fast-check";
import { resetInstant } from "../../monitor/_state/reset-token.ts";

/** 2026-07-28T18:00:00Z */
const N = 1_785_261_600;
const UNKNOWN = null;

const VECTORS: readonly (readonly [number, string, number | null])[] = [
	[N, "3am_America/Los_Angeles", 1785319200],
	[N, "midnight_UTC", 1785283200],
	[N, "11pm", 1785279600],
	[N, "6pm_UTC", 1785348000],
	[N, "15:00_Europe/Berlin", 1785330000],
	[N, "unknown", UNKNOWN],
	[N, "", UNKNOWN],
	[N, "banana_UTC", UNKNOWN],
	[N, "3am_PT", UNKNOWN],
	[N, "3am_EST", UNKNOWN],
	[N, "3am_Mars/Olympus", UNKNOWN],
	[N, "Aug_1_at_7pm_Asia/Tokyo", 1785578400],
	[N, "Aug_4,_8:45am_Australia/Adelaide", 1785798900],
	[N, "Jul 30, 2026, 10:05 PM (America/Argentina/Buenos_Aires)", 1785459900],
	[N, "Jul_28_at_5pm_UTC", 1785258000],
	[N, "8am_Etc/GMT-9", 1785279600],
	[N, "8am_Etc/GMT+9", 1785344400],
	[N, "1785600000", 1785600000],
	[N, "1795600000", UNKNOWN],
	[N, "Fri_at_6am_Asia/Kolkata", 1785457800],
	[N, "Tue at 6pm UTC", N + 7 * 86400],
	[N, "today at 5pm UTC", 1785258000],
	[N, "tomorrow, 5pm UTC", 1785344400],
	[N, "at Jul. 29, at noon Z", 1785326400],
	[1798545600, "Jan_3_at_6am_Pacific/Auckland", 1798909200],
	[1798779600, "Dec_31,_11pm_America/Denver", 1798783200],
	[1804874400, "Mar_14_at_2:30am_America/Chicago", 1805013000],
	[1824811200, "Oct_31_at_1:30am_Europe/Dublin", 1824942600],
	[N, "Aug_20_at_3pm_UTC", UNKNOWN],
	[N, "Feb_30_at_3pm_UTC", UNKNOWN],
	[N, "13pm_UTC", UNKNOWN],
	[N, "24:00", UNKNOWN],
	[N, "3:75am", UNKNOWN],
	[N, "3:60am_UTC", UNKNOWN],
	[N, "3:59am_UTC", 1785297540],
	[N, "0am_UTC", UNKNOWN],
	[N, "1am_UTC", 1785286800],
	[N, "12am_UTC", 1785283200],
	[N, "12pm_UTC", 1785326400],
	[N, "00:00_UTC", 1785283200],
	[N, "23:59_UTC", 1785283140],
	// A full name, and a day that is the last of its month.
	[N, "Wednesday at 6am UTC", 1785304800],
	[N, "July 31 at 6am UTC", 1785477600],
	[N, "Jul_32_at_6am_UTC", UNKNOWN],
	// Eight days either side, to the second.
	[N, `${N + 8 * 86400}`, N + 8 * 86400],
	[N, `${N + 8 * 86400 + 1}`, UNKNOWN],
	[N, `${N - 8 * 86400}`, N - 8 * 86400],
	[N, `${N - 8 * 86400 - 1}`, UNKNOWN],
	// Half an hour into the year: the date is of the last one.
	[1798763400, "Dec_31_at_11pm_UTC", 1798758000],
	// In January, the nearest 20 December is eleven months off.
	[1798763400, "Dec_20_at_11pm_UTC", UNKNOWN],
	// Quotes, parentheses, control characters and letter case say nothing.
	[N, '"MIDNIGHT" (utc)\u0007', 1785283200],
];

test.each(VECTORS.map((v) => [...v] as const))(
	"at %d the words %j mean %p",
	(now, token, at) => {
		expect(resetInstant(token, now, "UTC")).toEqual(
			at === null
				? { kind: "unknown", guess: now + 21600 }
				: { kind: "known", at },
		);
	},
);

test("a known instant is at most eight days away, and no text makes the reader throw", () => {
	const word = fc.constantFrom(
		...["Aug", "1", "at", "7pm", "noon", "Fri", ",", "UTC", "Asia/Tokyo"],
	);
	const text = fc.oneof(
		fc.string(),
		fc.array(word).map((w) => w.join(" ")),
	);
	fc.assert(
		fc.property(text, (token) => {
			const reset = resetInstant(token, N, "UTC");
			if (reset.kind === "known")
				expect(Math.abs(reset.at - N)).toBeLessThanOrEqual(8 * 86400);
			else expect(reset.guess).toBe(N + 21600);
		}),
	);
});
