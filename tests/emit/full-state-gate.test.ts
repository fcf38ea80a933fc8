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
};

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
		...part,
	});
	const cached = (mtime: number) => ({ text: "same", mtime });

	test("nothing reported yet: due, and the idle clock starts", () => {
		expect(decideFullState("same", memory({}), 5000, CFG)).toEqual({
			due: true,
			anchor: 5000,
		});
	});

	test("a changed workspace: due, and the idle clock starts anew", () => {
		const was = memory({ cached: cached(4900), anchor: 100 });
		expect(decideFullState("other", was, 5000, CFG)).toEqual({
			due: true,
			anchor: 5000,
		});
	});

	test("unchanged and younger than the floor: not due, checked again an interval later", () => {
		const was = memory({ cached: cached(4101), anchor: 4101 });
		const decision = decideFullState("same", was, 5000, CFG);
		expect(decision).toMatchObject({ due: false, stamp: 5000 });
		expect(decision.anchor).toBeUndefined();
		expect(decision.log).toContain("unchanged for 899s");
	});

	test("unchanged as long as the floor: due as a heartbeat, the idle clock goes on", () => {
		const was = memory({ cached: cached(4100), anchor: 4100 });
		expect(decideFullState("same", was, 5000, CFG)).toEqual({ due: true });
	});

	test("a report of tomorrow is none: after a clock that stepped back nobody waits for it to come", () => {
		const day = 86_400;
		const was = memory({ cached: cached(5000 + day), anchor: 5000 });
		expect(decideFullState("same", was, 5000, CFG).due).toBe(true);
	});

	test("long idle stretches the floor", () => {
		const was = memory({ cached: cached(4100), anchor: 5000 - 3600 });
		expect(decideFullState("same", was, 5000, CFG).due).toBe(false);
	});

	test("a lost idle clock is set to the time of the cache", () => {
		const was = memory({ cached: cached(4100) });
		expect(decideFullState("same", was, 5000, CFG)).toEqual({
			due: true,
			anchor: 4100,
		});
	});
});
