/** Late timers of an idle watcher: how late, and when not. */
import { expect, test } from "bun:test";
import { clockGap } from "../../monitor/_liveness/clock-gap.ts";
import { latenessOf } from "../../sim/lateness.ts";
import { drawNight, nightHours } from "../../sim/schedule.ts";
import { fakeClock } from "../fakes/clock.ts";

const SLEEP_MS = 2_000;
const LATE = { isLate: true, maxSleepSeconds: 10 };
const IN_TIME = { isLate: false, maxSleepSeconds: 10 };
const seeds = Array.from({ length: 200 }, (_, seed) => seed);

test("in a night in time no timer is late", () => {
	const { of } = latenessOf(fakeClock(), 1, IN_TIME);
	expect(of(SLEEP_MS)).toBe(0);
});

test("the rest of a night in time is late, and what comes after it in time again", () => {
	const { of, is } = latenessOf(fakeClock(), 1, IN_TIME);
	is(true);
	expect(of(SLEEP_MS)).toBeGreaterThan(0);
	is(false);
	expect(of(SLEEP_MS)).toBe(0);
});

test.each([[10], [60], [600]])(
	"where nothing happens a sleep is late, and no lost time to a loop that may sleep %d s",
	(maxSleepSeconds) => {
		for (const seed of seeds) {
			const night = { isLate: true, maxSleepSeconds };
			const late = latenessOf(fakeClock(), seed, night).of(SLEEP_MS);
			expect(late).toBeGreaterThan(10_000);
			const passed = (SLEEP_MS + late) / 1000;
			const gap = clockGap(
				{ wallSeconds: 0, monoMs: 0 },
				{ wallSeconds: Math.ceil(passed), monoMs: passed * 1000 },
				{ maxSleepSeconds, intervalSeconds: 60 },
			);
			expect(gap.kind).toBe("none");
		}
	},
);

test("the longest sleep of the loop is hardly late", () => {
	const { of, longestMs } = latenessOf(fakeClock(), 1, LATE);
	expect(of(LATE.maxSleepSeconds * 1000)).toBeLessThanOrEqual(50_000);
	expect(of(longestMs)).toBe(0);
});

test("a step of something in hand is in time", () => {
	expect(latenessOf(fakeClock(), 1, LATE).of(300)).toBe(0);
});

test("a sleep ends with the next happening, of the machine or of the night, or hardly later", () => {
	for (const seed of seeds) {
		const clock = fakeClock();
		const lateness = latenessOf(clock, seed, LATE);
		clock.after(20_000, () => {});
		expect(lateness.of(SLEEP_MS)).toBeLessThanOrEqual(20_000);
		const acts = latenessOf(fakeClock(), seed, LATE);
		acts.expect(clock.monoMs() + 15_000);
		expect(acts.of(SLEEP_MS)).toBeLessThanOrEqual(15_000);
	}
});

test("what a process waits for is no happening", () => {
	const clock = fakeClock();
	clock.aside.after(5_000, () => {});
	expect(clock.happenings().nextMs).toBe(Number.POSITIVE_INFINITY);
	clock.after(9_000, () => {});
	expect(clock.happenings().nextMs).toBe(clock.monoMs() + 9_000);
});

test("right after a happening timers are in time, and late again once it is over", async () => {
	for (const seed of seeds) {
		const clock = fakeClock();
		const { of } = latenessOf(clock, seed, LATE);
		clock.after(1_000, () => {});
		await clock.advance(1_000);
		expect(of(SLEEP_MS)).toBe(0);
		await clock.advance(10_000);
		expect(of(SLEEP_MS)).toBeGreaterThan(0);
	}
});

test("some nights are in time throughout, and most are not; those that cost more are shorter", () => {
	const inTime = seeds.filter((seed) => !drawNight(seed, 1).isLate);
	expect(inTime.length).toBeGreaterThan(0);
	expect(inTime.length).toBeLessThan(seeds.length / 4);
	for (const seed of seeds)
		for (const { atMs } of drawNight(seed, 24).schedule)
			expect(atMs).toBeLessThan(nightHours(seed, 24) * 3_600_000);
	const hoursOf = (of: readonly number[]) =>
		of.map((seed) => nightHours(seed, 24));
	expect(Math.max(...hoursOf(inTime))).toBeLessThan(1);
	expect(Math.max(...hoursOf(seeds))).toBe(24);
});
