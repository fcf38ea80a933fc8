/** When the fleet is looked at next: in time for the report that is to tell of it. */
import { expect, test } from "bun:test";
import { earlierSweep } from "../../monitor/watcher/_idle_probe/next-sweep.ts";
import { idleSectionTask } from "../../monitor/watcher/_idle_probe.ts";
import { schedulerPort } from "../watcher/watcher-rig.ts";
import { idleRig } from "./idle-rig.ts";

const at = { now: 1000, nextAt: 1030, dueAt: null, composeAt: null };

test.each([
	["nothing asks for more", {}, null],
	["a compose within the cadence", { composeAt: 1025 }, 1015],
	["a compose too near to be hurried for", { composeAt: 1010 }, null],
	["a compose after the next sweep", { composeAt: 1040 }, null],
	["a compose that is due at once", { composeAt: 0 }, null],
	["a worker that comes of age before", { dueAt: 1001 }, 1001],
	["a worker that comes of age with the next sweep", { dueAt: 1030 }, null],
	["a worker that is of age", { dueAt: 1000 }, null],
	["both", { dueAt: 1020, composeAt: 1025 }, 1015],
])("%s", (_what, over, expected) => {
	expect(earlierSweep({ ...at, ...over })).toBe(expected);
});

/**
 * Seconds from a worker's death in mid-turn to the report of it. A compose each 60 s and a sweep each 30 s begin in the same
 * second, in the order of their names; a look takes a second, and its rows are staged one later.
 */
function toldAfter(death: number, hurries: boolean): number {
	let [sweepAt, composeAt, engagedAt] = [0, 0, 0];
	let stagedAt: number | null = null;
	for (let now = 0; now < 1000; now++) {
		if (now === composeAt) {
			if (stagedAt !== null && stagedAt <= now) return now - death;
			composeAt += 60;
		}
		if (now !== sweepAt) continue;
		sweepAt += 30;
		const lookedAt = now + 1;
		if (now < death) engagedAt = lookedAt;
		else if (lookedAt - engagedAt >= 60) stagedAt ??= lookedAt + 1;
		const times = { nextAt: sweepAt, dueAt: engagedAt + 60, composeAt };
		if (hurries) sweepAt = earlierSweep({ now: lookedAt, ...times }) ?? sweepAt;
	}
	return Number.POSITIVE_INFINITY;
}

test("a worker's death is told within the idle threshold and one cycle of the reports, a sweep less", () => {
	const deaths = Array.from({ length: 120 }, (_, i) => 600 - i);
	const longest = (hurries: boolean) =>
		Math.max(...deaths.map((death) => toldAfter(death, hurries)));
	// In step with each other, and one second short: as it was.
	expect(longest(false)).toBeGreaterThanOrEqual(119);
	expect(longest(true)).toBeLessThanOrEqual(100);
});

test("the task asks for it when a look is over", async () => {
	const rig = idleRig();
	rig.worker("a");
	const now = rig.clock.now();
	const { port, asked } = schedulerPort([], {
		idle_section: now + 30,
		compose_emit: now + 35,
	});
	const task = idleSectionTask.make({ ...rig.ctx, scheduler: port });
	const run = { doors: rig.doors, afterGap: false, log: () => {} };
	await task({ ...run, signal: new AbortController().signal });
	expect(asked).toEqual([`skip idle_section ${now + 25}`]);
});
