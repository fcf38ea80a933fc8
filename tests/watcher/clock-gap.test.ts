import { expect, test } from "bun:test";
import { clockGap } from "../../monitor/_liveness/clock-gap.ts";

const at = { wallSeconds: 1_000_000, monoMs: 5_000_000 };
const gap = (wall: number, mono: number, interval = 60) =>
	clockGap(
		at,
		{ wallSeconds: at.wallSeconds + wall, monoMs: at.monoMs + mono * 1000 },
		{ maxSleepSeconds: 10, intervalSeconds: interval },
	);

const rows: [string, number, number, number | null][] = [
	["the longest sleep and a minute are allowed", 70, 70, null],
	["one second more is a gap", 71, 71, 0],
	["a suspend is a gap", 28_800, 10, 0],
	["a clock set back is a gap, and epochs move with it", -3590, 10, -3600],
	["30 s between the clocks are allowed", 40, 10, null],
	["31 s are a gap", 41, 10, 0],
	["a clock set back by 30 s moves nothing", -20, 10, null],
	["a stopped process whose wall clock was set right is a gap", 10, 90, -80],
];
test.each(rows)("%s", (_name, wall, mono, shift) => {
	const found = gap(wall, mono);
	expect(found.kind === "none" ? null : found.shiftSeconds).toBe(shift);
});

test("the grace is two intervals, at least two minutes", () => {
	expect(gap(71, 71)).toMatchObject({ graceSeconds: 120, wallSeconds: 71 });
	expect(gap(71, 71, 300)).toMatchObject({ graceSeconds: 600 });
});
