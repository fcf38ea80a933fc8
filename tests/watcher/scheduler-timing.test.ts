import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	deferAsync,
	firstTiming,
	nextFire,
	shifted,
	sleepSeconds,
	type Timing,
	withOverride,
	withoutExpiredOverride,
} from "../../monitor/watcher/_scheduler/timing.ts";

const timing = (over: Partial<Timing>): Timing => ({
	...firstTiming(60),
	...over,
});

describe("the next due time", () => {
	const until1300 = { intervalSeconds: 300, until: 1300 };
	const rows: [string, Partial<Timing>, number, number, number][] = [
		["counts from the last fire", { lastFire: 1000 }, 0, 1000, 1060],
		["is doubled when the run defers", { lastFire: 1000 }, 75, 1000, 1120],
		[
			"is doubled from the override, at most four times the base",
			{ lastFire: 1000, override: until1300 },
			75,
			1000,
			1240,
		],
		[
			"is an override's while that lasts",
			{ lastFire: 1000, override: { intervalSeconds: 5, until: 1001 } },
			0,
			1000,
			1005,
		],
		[
			"is the base at the very second the override ends",
			{ lastFire: 1000, override: { intervalSeconds: 5, until: 1000 } },
			0,
			1000,
			1060,
		],
		[
			"is one second ahead when it would lie in the past",
			{ lastFire: 900 },
			0,
			1000,
			1001,
		],
		[
			"treats any other failure like success",
			{ lastFire: 1000 },
			1,
			1000,
			1060,
		],
	];
	test.each(rows)("%s", (_name, over, rc, now, expected) => {
		expect(nextFire(timing(over), rc, now)).toBe(expected);
	});

	test("is always ahead of now, and never further than four intervals after the last fire", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 100_000 }),
				fc.integer({ min: 0, max: 10_000 }),
				fc.constantFrom(0, 1, 75),
				(intervalSeconds, sinceFire, rc) => {
					const lastFire = 1_000_000 - sinceFire;
					const due = nextFire(
						timing({ intervalSeconds, lastFire }),
						rc,
						1_000_000,
					);
					return (
						due > 1_000_000 &&
						due <= Math.max(1_000_001, lastFire + 4 * intervalSeconds)
					);
				},
			),
		);
	});
});

describe("an override", () => {
	test("pulls a later fire forward", () => {
		expect(withOverride(timing({ nextFire: 1060 }), 5, 60, 1000).nextFire).toBe(
			1005,
		);
	});
	test("does not push a nearer fire back", () => {
		expect(withOverride(timing({ nextFire: 1002 }), 5, 60, 1000).nextFire).toBe(
			1002,
		);
	});
	test("leaves 0, and ends when its time is over", () => {
		const t = withOverride(timing({ nextFire: 0 }), 5, 60, 20_000);
		expect(t.nextFire).toBe(0);
		expect(t.override).toEqual({ intervalSeconds: 5, until: 20_060 });
		expect(withoutExpiredOverride(t, 20_059).override).not.toBeNull();
		expect(withoutExpiredOverride(t, 20_060).override).toBeNull();
	});
	test("is replaced by a later one", () => {
		const t = withOverride(withOverride(timing({}), 5, 60, 0), 30, 10, 1);
		expect(t.override).toEqual({ intervalSeconds: 30, until: 11 });
	});
});

test("an async run that defers is moved back, never forward", () => {
	const launched = timing({ lastFire: 1000, nextFire: 1060 });
	expect(deferAsync(launched, 1010).nextFire).toBe(1120);
	expect(deferAsync({ ...launched, nextFire: 5000 }, 1010).nextFire).toBe(5000);
});

test("after a clock that stepped back every held epoch moves with it, and 0 stays 0", () => {
	const t = shifted(
		timing({
			nextFire: 1010,
			lastFire: 0,
			override: { intervalSeconds: 5, until: 1060 },
		}),
		-610,
	);
	expect(t).toMatchObject({ nextFire: 400, lastFire: 0 });
	expect(t.override?.until).toBe(450);
});

describe("the sleep", () => {
	const rows: [string, number[], number][] = [
		["lasts until the soonest due task", [1004, 1030], 4],
		["is at most the maximum", [1500], 10],
		["is one second when a task is due", [990, 1004], 1],
		["is one second when a task waits for its first tick", [0, 1004], 1],
		["is the maximum when there is nothing to wait for", [], 10],
	];
	test.each(rows)("%s", (_name, dues, expected) => {
		const timings = dues.map((nextFire) => timing({ nextFire }));
		expect(sleepSeconds(timings, 1000, 10)).toBe(expected);
	});
});
