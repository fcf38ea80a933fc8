import { expect, test } from "bun:test";
import { ageSeconds, formatAge } from "../../monitor/_sys/age.ts";

test.each([
	[1000, 940, 600, 60],
	[1000, 1000, 600, 0],
	[1000, 1001, 600, 0],
	[1000, 1600, 600, 0],
	[1000, 1601, 600, null],
	[1000, 1001, 0, null],
	[1000, 0, 600, 1000],
	[1000, null, 600, null],
	[1000, undefined, 600, null],
	[1000, Number.NaN, 600, null],
	[1000, Number.POSITIVE_INFINITY, 600, null],
])(
	"at %p a stamp of %p in a window of %p has age %p",
	(now, stamp, window, age) => {
		expect(ageSeconds(now, stamp, window)).toBe(age);
	},
);

test.each([
	[-5, "0m"],
	[0, "0m"],
	[59, "0m"],
	[480, "8m"],
	[3599, "59m"],
	[3600, "1h00m"],
	[3720, "1h02m"],
	[4320, "1h12m"],
	[90_000, "25h00m"],
])("%p seconds read as %p", (seconds, text) => {
	expect(formatAge(seconds)).toBe(text);
});
