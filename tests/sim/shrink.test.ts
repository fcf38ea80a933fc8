/** A night that breaks is made short: what is tried, and what is left of it. */
import { expect, test } from "bun:test";
import type { Night, Schedule } from "../../sim/schedule.ts";
import { shrink } from "../../sim/shrink.ts";
import { closer, punctual, upTo } from "../../sim/simpler.ts";

const HOUR_MS = 3_600_000;
const at = (...hours: readonly number[]): Schedule =>
	hours.map((hour) => ({ atMs: hour * HOUR_MS, act: { do: "tmux-dies" } }));
const hoursOf = (schedule: Schedule) =>
	schedule.map(({ atMs }) => atMs / HOUR_MS);
const night = (...hours: readonly number[]): Night => ({
	seed: 1,
	isLate: true,
	schedule: at(...hours),
});

test("of thirty happenings the two are left that it needs", async () => {
	const all = at(...Array.from({ length: 30 }, (_, i) => i));
	const fails = async (candidate: Schedule) =>
		[3, 17].every((hour) => hoursOf(candidate).includes(hour));
	expect(hoursOf(await shrink(all, fails, 200))).toEqual([3, 17]);
});

test("it tries no more often than it may, and keeps what fails", async () => {
	let tries = 0;
	const fails = async (candidate: Schedule) => {
		tries++;
		return hoursOf(candidate).includes(3);
	};
	const short = await shrink(at(0, 1, 2, 3, 4, 5, 6, 7), fails, 3);
	expect(tries).toBe(3);
	expect(hoursOf(short)).toContain(3);
});

test("what had not happened when it broke is left out", () => {
	expect(hoursOf(upTo(2)(night(1, 2, 3)).schedule)).toEqual([1, 2]);
	const whole = night(1, 2, 3);
	expect(upTo(3)(whole)).toBe(whole);
});

test("silences are cut to half an hour, and what is near stays as far apart", () => {
	const cut = closer(night(0.25, 100, 100.25, 168));
	expect(hoursOf(cut.schedule)).toEqual([0.25, 0.75, 1, 1.5]);
	expect(cut.isLate).toBe(true);
	const dense = night(0.25, 0.5);
	expect(closer(dense)).toBe(dense);
});

test("every timer is in time in a night that is short enough for it", () => {
	expect(punctual(night(1, 11)).isLate).toBe(false);
	const long = night(1, 13);
	expect(punctual(long)).toBe(long);
});
