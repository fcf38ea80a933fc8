import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { nextFire, parseCron } from "../../monitor/_fleet/cron.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";

const after = (schedule: string, from: string): string | null => {
	const cron = parseCron(schedule);
	if (cron === null) throw new Error(`bad schedule ${schedule}`);
	return nextFire(cron, new Date(from))?.toISOString() ?? null;
};

test.each([
	"7,27,47 * * * *",
	"0 9-17 * * *",
	"15,45 8-18/2 * * 1-5",
	"30 2 1,15 * *",
	"*/5 * * * *",
])("%s is a schedule", (text) => {
	expect(parseCron(text)?.text).toBe(text);
});

test.each([
	"",
	"* * * *",
	"* * * * * *",
	"60 * * * *",
	"* 24 * * *",
	"* * 0 * *",
	"* * 32 * *",
	"* * * 0 *",
	"* * * 13 *",
	"* * * * 8",
	"abc * * * *",
	"* * * jan *",
	"5-2 * * * *",
	"*/0 * * * *",
	"5/3 * * * *",
	"1,,2 * * * *",
	"1, * * * *",
	"@every 5m",
	"-5 * * * *",
	"+5 * * * *",
	"1.5 * * * *",
])("%p is none", (text) => {
	expect(parseCron(text)).toBeNull();
});

test.each([
	["* * * * *", "2026-01-01T12:30:15Z", "2026-01-01T12:31:00.000Z"],
	["* * * * *", "2026-01-01T12:30:00Z", "2026-01-01T12:31:00.000Z"],
	["7,27,47 * * * *", "2026-01-01T12:30:15Z", "2026-01-01T12:47:00.000Z"],
	["7,27,47 * * * *", "2026-01-01T12:47:00Z", "2026-01-01T13:07:00.000Z"],
	["0 9-17 * * *", "2026-01-01T17:30:00Z", "2026-01-02T09:00:00.000Z"],
	["*/5 * * * *", "2026-01-01T12:07:00Z", "2026-01-01T12:10:00.000Z"],
	["0 9 * * 7", "2026-01-03T00:00:00Z", "2026-01-04T09:00:00.000Z"],
	["0 9 * * 0", "2026-01-03T00:00:00Z", "2026-01-04T09:00:00.000Z"],
	["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
	["0 0 31 12 *", "2026-12-31T00:00:00Z", "2027-12-31T00:00:00.000Z"],
	// Both day fields restricted: either may match. A Tuesday comes before the 13th.
	["0 0 13 * 2", "2026-01-02T00:00:00Z", "2026-01-06T00:00:00.000Z"],
	// `*/1` is more than a bare star, and so a restriction that every day meets.
	["0 0 */1 * 2", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00.000Z"],
	["0 0 * * 2", "2026-01-02T00:00:00Z", "2026-01-06T00:00:00.000Z"],
])("%s fires after %s at %s", (schedule, from, at) => {
	expect(after(schedule, from)).toBe(at);
});

test("a date that never comes has no next fire", () => {
	expect(after("0 0 30 2 *", "2026-01-01T00:00:00Z")).toBeNull();
});

// 2100 is no leap year.
test("five years are looked ahead, and no more", () => {
	expect(after("0 0 29 2 *", "2099-02-01T00:00:00Z")).toBeNull();
	expect(after("0 0 29 2 *", "2099-04-01T00:00:00Z")).toBe(
		"2104-02-29T00:00:00.000Z",
	);
});

describe("in a zone with daylight saving", () => {
	/** In a process of its own: the zone is read at its start. */
	function berlin(schedule: string, from: string): string {
		const code = `
			import { nextFire, parseCron } from ${JSON.stringify(join(CODE_ROOT, "monitor/_fleet/cron.ts"))};
			const at = nextFire(parseCron("${schedule}"), new Date("${from}"));
			console.log(at.toISOString());`;
		const env = { ...process.env, TZ: "Europe/Berlin" };
		const ran = Bun.spawnSync([process.execPath, "-e", code], { env });
		return ran.stdout.toString().trim();
	}

	test.each([
		// The hour from 2 to 3 does not exist on 29 March.
		["30 2 * * *", "2026-03-29T00:00:00Z", "2026-03-30T00:30:00.000Z"],
		// The hour from 2 to 3 comes twice on 25 October: no minute of it is left out.
		["* * * * *", "2026-10-25T00:59:30Z", "2026-10-25T01:00:00.000Z"],
	])("%s after %s fires at %s", (schedule, from, at) => {
		expect(berlin(schedule, from)).toBe(at);
	});
});

test("the next fire is later, a whole minute, and matches every field", () => {
	const field = (min: number, max: number) =>
		fc.oneof(
			fc.constant("*"),
			fc.integer({ min, max }).map(String),
			fc.integer({ min: 1, max: 30 }).map((k) => `*/${k}`),
		);
	fc.assert(
		fc.property(
			fc.tuple(field(0, 59), field(0, 23), field(1, 28)),
			fc.integer({ min: 1.7e9, max: 1.9e9 }),
			([minute, hour, day], seconds) => {
				const cron = parseCron(`${minute} ${hour} ${day} * *`);
				if (cron === null) throw new Error("not read");
				const from = new Date(seconds * 1000);
				const at = nextFire(cron, from);
				if (at === null) throw new Error("never");
				expect(at.getTime()).toBeGreaterThan(from.getTime());
				expect(at.getTime() % 60_000).toBe(0);
				expect(cron.minutes.has(at.getMinutes())).toBe(true);
				expect(cron.hours.has(at.getHours())).toBe(true);
				expect(cron.days.has(at.getDate())).toBe(true);
			},
		),
		{ numRuns: 60 },
	);
});
