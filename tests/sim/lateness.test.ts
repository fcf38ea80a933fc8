/** Late timers of an idle watcher: how late, and when not. */
import { expect, test } from "bun:test";
import { clockGap } from "../../monitor/_liveness/clock-gap.ts";
import { latenessOf, MOST_LATE_MS } from "../../sim/lateness.ts";
import { drawNight } from "../../sim/schedule.ts";
import { fakeClock } from "../fakes/clock.ts";

const SLEEP_MS = 2_000;
const seeds = Array.from({ length: 200 }, (_, seed) => seed);

test("in a night in time no timer is late", () => {
	const { of } = latenessOf(fakeClock(), 1, 0);
	expect(of(SLEEP_MS)).toBe(0);
});

test("the rest of a night in time is late, and what comes after it in time again", () => {
	const { of, atMost } = latenessOf(fakeClock(), 1, 0);
	atMost(MOST_LATE_MS);
	expect(of(SLEEP_MS)).toBeGreaterThan(0);
	atMost(0);
	expect(of(SLEEP_MS)).toBe(0);
});

test("where nothing happens a sleep is late, by no more than the most", () => {
	for (const seed of seeds) {
		const late = latenessOf(fakeClock(), seed, MOST_LATE_MS).of(SLEEP_MS);
		expect(late).toBeGreaterThan(0);
		expect(late).toBeLessThanOrEqual(MOST_LATE_MS);
	}
});

test("the longest sleep at its latest is no lost time to the loop", () => {
	const maxSleepSeconds = 10;
	const passed = maxSleepSeconds + MOST_LATE_MS / 1000;
	const gap = clockGap(
		{ wallSeconds: 0, monoMs: 0 },
		{ wallSeconds: passed, monoMs: passed * 1000 },
		{ maxSleepSeconds, intervalSeconds: 60 },
	);
	expect(gap.kind).toBe("none");
});

test("a step of something in hand is in time", () => {
	expect(latenessOf(fakeClock(), 1, MOST_LATE_MS).of(300)).toBe(0);
});

test("a sleep ends with the next happening, of the machine or of the night, or hardly later", () => {
	for (const seed of seeds) {
		const clock = fakeClock();
		const lateness = latenessOf(clock, seed, MOST_LATE_MS);
		clock.after(20_000, () => {});
		expect(lateness.of(SLEEP_MS)).toBeLessThanOrEqual(20_000);
		const acts = latenessOf(fakeClock(), seed, MOST_LATE_MS);
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
		const { of } = latenessOf(clock, seed, MOST_LATE_MS);
		clock.after(1_000, () => {});
		await clock.advance(1_000);
		expect(of(SLEEP_MS)).toBe(0);
		await clock.advance(10_000);
		expect(of(SLEEP_MS)).toBeGreaterThan(0);
	}
});

test("some nights are in time throughout, and most are not", () => {
	const inTime = seeds.filter((seed) => drawNight(seed, 1).lateMs === 0);
	expect(inTime.length).toBeGreaterThan(0);
	expect(inTime.length).toBeLessThan(seeds.length / 4);
});
