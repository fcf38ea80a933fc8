/** One suite, two clocks. The fake one runs by itself here, so that both are driven by plain awaits. */
import { describe, expect, test } from "bun:test";
import { isoLocal, realClock } from "../../monitor/_sys/clock.ts";
import type { Clock } from "../../monitor/_sys/doors.ts";
import { fakeClock } from "../fakes/clock.ts";

const clocks: readonly (readonly [string, () => Clock])[] = [
	["the real clock", () => realClock({})],
	["the fake clock", () => fakeClock({ auto: true })],
];

describe.each(clocks)("%s", (_name, build) => {
	test("seconds, milliseconds and the ISO stamp tell one time", () => {
		const clock = build();
		expect(Math.abs(clock.nowMs() / 1000 - clock.now())).toBeLessThan(2);
		expect(Math.abs(Date.parse(clock.iso()) / 1000 - clock.now())).toBeLessThan(
			2,
		);
		expect(Number.isInteger(clock.now())).toBe(true);
	});

	test("a sleep lasts at least its time on the monotonic clock", async () => {
		const clock = build();
		const start = clock.monoMs();
		expect(await clock.sleep(20)).toBe("slept");
		// Timers may fire up to a millisecond early by the finer clock.
		expect(clock.monoMs() - start).toBeGreaterThanOrEqual(19);
	});

	test("an abort ends a sleep, before it or in it, without a rejection", async () => {
		const clock = build();
		expect(await clock.sleep(60_000, AbortSignal.abort())).toBe("aborted");
		const abort = new AbortController();
		const sleep = clock.sleep(60_000, abort.signal);
		abort.abort();
		expect(await sleep).toBe("aborted");
	});

	test("timers fire in the order of their time, and a cancelled one never", async () => {
		const clock = build();
		const fired: string[] = [];
		clock.after(30, () => fired.push("late"));
		clock.after(5, () => fired.push("early"));
		const cancel = clock.after(10, () => fired.push("cancelled"));
		cancel();
		await clock.sleep(60);
		expect(fired).toEqual(["early", "late"]);
	});
});

describe("NEXUS_TEST_NOW", () => {
	test("freezes both clocks; a sleep returns at once, and only durations know of it", async () => {
		const clock = realClock({ NEXUS_TEST_NOW: "1785261600" });
		expect(clock.monoMs()).toBe(1785261600000);
		expect(await clock.sleep(3_600_000)).toBe("slept");
		expect([clock.now(), clock.nowMs(), clock.monoMs()]).toEqual([
			1785261600,
			1785261600000,
			1785261600000 + 3_600_000,
		]);
		expect(Date.parse(clock.iso())).toBe(1785261600000);
	});

	test.each(["", "now", "12.5", "-3", " 7"])(
		"%p is no time and is ignored",
		(value) => {
			const clock = realClock({ NEXUS_TEST_NOW: value });
			expect(clock.now()).toBeGreaterThan(1_600_000_000);
		},
	);
});

describe("the ISO stamp", () => {
	test.each([
		["America/Los_Angeles", "2026-05-11T13:42:01-07:00"],
		["UTC", "2026-05-11T20:42:01+00:00"],
		["Asia/Kolkata", "2026-05-12T02:12:01+05:30"],
		["America/St_Johns", "2026-05-11T18:12:01-02:30"],
	])("in %s is local time with its offset", (zone, stamp) => {
		const before = process.env.TZ;
		process.env.TZ = zone;
		try {
			expect(isoLocal(1778532121)).toBe(stamp);
		} finally {
			process.env.TZ = before ?? "UTC";
		}
	});
});

test("a very long sleep does not overflow into none", async () => {
	const abort = new AbortController();
	const sleep = realClock({}).sleep(2 ** 40, abort.signal);
	const first = await Promise.race([sleep, Bun.sleep(20).then(() => "still")]);
	abort.abort();
	expect(first).toBe("still");
	expect(await sleep).toBe("aborted");
});
