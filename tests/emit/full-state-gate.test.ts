import { describe, expect, test } from "bun:test";
import {
	decideFullState,
	effectiveFloor,
	intervalElapsed,
} from "../../monitor/_emit/full-state-gate.ts";
import type { FullState } from "../../monitor/_state/full-state.ts";

const CFG = {
	intervalSeconds: 600,
	floorSeconds: 900,
	backoffEnabled: true,
	backoffMaxSeconds: 86_400,
	partialLooks: 3,
};
const whole = (canonical: string) => ({ canonical, isPartial: false });
const partial = (canonical: string) => ({ canonical, isPartial: true });

describe("the floor of silence", () => {
	test.each([
		[0, 900],
		[1799, 900],
		[1800, 1800],
		[3599, 1800],
		[3600, 3600],
		[57_600, 57_600],
		[115_200, 86_400],
	])("idle %ds → %ds", (idle, floor) => {
		expect(effectiveFloor(idle, CFG)).toBe(floor);
	});

	test.each([
		[
			"a max between two rungs caps",
			{ backoffMaxSeconds: 43_200 },
			57_600,
			43_200,
		],
		[
			"a max at the base stretches nothing",
			{ backoffMaxSeconds: 900 },
			57_600,
			900,
		],
		[
			"a max below the base stretches nothing",
			{ backoffMaxSeconds: 60 },
			57_600,
			900,
		],
		["switched off", { backoffEnabled: false }, 57_600, 900],
		["a base of 0 stays 0", { floorSeconds: 0 }, 57_600, 0],
	])("%s", (_name, change, idle, floor) => {
		expect(effectiveFloor(idle, { ...CFG, ...change })).toBe(floor);
	});
});

test.each([
	["never stamped", null, true],
	["stamped an instant ago", 10_000, false],
	["one second short", 10_000 - 599, false],
	["just elapsed", 10_000 - 600, true],
	["a stamp too far ahead to believe", 10_000 + 601, true],
])("the interval: %s", (_name, stamp, elapsed) => {
	expect(intervalElapsed(stamp, 10_000, CFG)).toBe(elapsed);
});

test("an interval of 0 switches full-state off", () => {
	expect(intervalElapsed(null, 10_000, { ...CFG, intervalSeconds: 0 })).toBe(
		false,
	);
});

describe("whether a full-state report is due", () => {
	const memory = (part: Partial<FullState>): FullState => ({
		stamp: null,
		anchor: null,
		cached: null,
		partialLooks: 0,
		...part,
	});
	const cached = (mtime: number) => ({ text: "same", mtime });

	test("nothing reported yet: due, and the idle clock starts", () => {
		expect(decideFullState(whole("same"), memory({}), 5000, CFG)).toEqual({
			due: true,
			anchor: 5000,
		});
	});

	test("a changed workspace: due, and the idle clock starts anew", () => {
		const was = memory({ cached: cached(4900), anchor: 100 });
		expect(decideFullState(whole("other"), was, 5000, CFG)).toEqual({
			due: true,
			anchor: 5000,
		});
	});

	test("unchanged and younger than the floor: not due, checked again an interval later", () => {
		const was = memory({ cached: cached(4101), anchor: 4101 });
		const decision = decideFullState(whole("same"), was, 5000, CFG);
		expect(decision).toMatchObject({ due: false, stamp: 5000 });
		expect(decision.anchor).toBeUndefined();
		expect(decision.log).toContain("unchanged for 899s");
	});

	test("unchanged as long as the floor: due as a heartbeat, the idle clock goes on", () => {
		const was = memory({ cached: cached(4100), anchor: 4100 });
		expect(decideFullState(whole("same"), was, 5000, CFG)).toEqual({
			due: true,
		});
	});

	test("a report of tomorrow is none: after a clock that stepped back nobody waits for it to come", () => {
		const day = 86_400;
		const was = memory({ cached: cached(5000 + day), anchor: 5000 });
		expect(decideFullState(whole("same"), was, 5000, CFG).due).toBe(true);
	});

	test("long idle stretches the floor", () => {
		const was = memory({ cached: cached(4100), anchor: 5000 - 3600 });
		expect(decideFullState(whole("same"), was, 5000, CFG).due).toBe(false);
	});

	test("a lost idle clock is set to the time of the cache", () => {
		const was = memory({ cached: cached(4100) });
		expect(decideFullState(whole("same"), was, 5000, CFG)).toEqual({
			due: true,
			anchor: 4100,
		});
	});

	describe("when a look could not read everything", () => {
		const was = (looks: number, mtime = 4900) =>
			memory({ cached: cached(mtime), anchor: mtime, partialLooks: looks });
		test.each([
			["the first is no change", 0, false],
			["nor is the second", 1, false],
			["the third is the state of things", 2, true],
			["and so is every further one", 7, true],
		])("%s", (_name, before, due) => {
			const decision = decideFullState(
				partial("other"),
				was(before),
				5000,
				CFG,
			);
			expect(decision).toMatchObject({ due, partialLooks: before + 1 });
			// Asked again at the next cycle, not an interval later.
			expect(decision.stamp).toBeUndefined();
		});
		test("of one that is asked for, the first is a change", () => {
			const cfg = { ...CFG, partialLooks: 1 };
			expect(decideFullState(partial("other"), was(0), 5000, cfg).due).toBe(
				true,
			);
		});
		test("silence has its floor all the same", () => {
			const old = was(0, 4100);
			expect(decideFullState(partial("other"), old, 5000, CFG).due).toBe(true);
		});
		test("nothing reported yet is due all the same", () => {
			expect(decideFullState(partial("x"), memory({}), 5000, CFG).due).toBe(
				true,
			);
		});
		test("a whole look ends the count, changed or not", () => {
			for (const text of ["same", "other"])
				expect(
					decideFullState(whole(text), was(2), 5000, CFG).partialLooks,
				).toBe(0);
			const calm = decideFullState(whole("same"), was(0), 5000, CFG);
			expect(calm).not.toHaveProperty("partialLooks");
		});
	});
});
