import { describe, expect, test } from "bun:test";
import {
	deadCutoff,
	livenessLimits,
} from "../../monitor/_liveness/liveness-limits.ts";
import {
	cycleCutoff,
	type LivenessFacts,
	livenessBucket,
	livenessVerdict,
	verdictLines,
	wedgeCutoff,
} from "../../monitor/_liveness/verdict.ts";

const LIMITS = livenessLimits({}, 60);
const HEALTHY: LivenessFacts = {
	heartbeatAge: 5,
	pid: 4711,
	pidLooks: "live",
	flockFree: false,
	progressAges: [3],
	cycleAge: 30,
	periodSeconds: 60,
};
const seen = (over: Partial<LivenessFacts>): LivenessFacts => ({
	...HEALTHY,
	...over,
});

describe("the bucket follows the heartbeat's age", () => {
	for (const [age, cutoff, bucket] of [
		[0, null, 0],
		[135, null, 0],
		[136, null, 1],
		[300, null, 1],
		[301, null, 2],
		[350, 420, 1],
		[421, 420, 2],
		[301, 100, 2],
		// Ahead of now: believed only within the window it is measured against.
		[-135, null, 0],
		[-136, null, 1],
		[-301, null, 2],
	] as const)
		test(`age ${age}, dead cutoff ${cutoff ?? "unset"} → ${bucket}`, () => {
			const limits = { ...LIMITS, deadCutoffSeconds: cutoff };
			expect(livenessBucket(seen({ heartbeatAge: age }), limits)).toBe(bucket);
		});
});

describe("what outranks the age", () => {
	for (const [rule, over, bucket] of [
		["no heartbeat file is 3", { heartbeatAge: null }, 3],
		[
			"a dead pid with a free flock is 2, however young the heartbeat",
			{ pidLooks: "dead", flockFree: true },
			2,
		],
		[
			"a dead pid under a held flock lives in another pid namespace",
			{ pidLooks: "dead", flockFree: false },
			0,
		],
		[
			"a pid that cannot be looked into is alive",
			{ pidLooks: "unreadable" },
			0,
		],
		["progress older than the cutoff is 4", { progressAges: [901] }, 4],
		["progress at the cutoff is not", { progressAges: [900, 5000] }, 0],
		["a cycle older than its cutoff is 4", { cycleAge: 1801 }, 4],
		["a cycle at its cutoff is not", { cycleAge: 1800 }, 0],
		[
			"no sign to judge by is not wedged",
			{ progressAges: [], cycleAge: null },
			0,
		],
		[
			"a sign from far ahead of now is no sign",
			{ progressAges: [-901], cycleAge: null },
			0,
		],
	] as const)
		test(rule, () => {
			expect(livenessBucket(seen(over), LIMITS)).toBe(bucket);
		});
});

describe("the verdict", () => {
	for (const [rule, over, state, rc, reason] of [
		["fresh is UP", {}, "UP", 0, "heartbeat fresh (age=5s)"],
		["a cycle of the fresh limit is UP", { cycleAge: 135 }, "UP", 0, "fresh"],
		["an old cycle is BUSY", { cycleAge: 136 }, "BUSY", 1, "136s ago"],
		[
			"a period of two intervals is UP",
			{ periodSeconds: 120 },
			"UP",
			0,
			"fresh",
		],
		["a long period is BUSY", { periodSeconds: 121 }, "BUSY", 1, "takes 121s"],
		["a late heartbeat is BUSY", { heartbeatAge: 200 }, "BUSY", 1, "age=200s"],
		[
			"a stale heartbeat over a live pid that just logged is BUSY",
			{ heartbeatAge: 444, progressAges: [0] },
			"BUSY",
			1,
			"moved 0s ago",
		],
		[
			"a live pid before its first heartbeat is BUSY",
			{ heartbeatAge: null },
			"BUSY",
			1,
			"no heartbeat file",
		],
		[
			"a live pid that never beat and does not move is DOWN",
			{ heartbeatAge: null, progressAges: [901] },
			"DOWN",
			2,
			"no heartbeat file",
		],
		[
			"a stale heartbeat over a pid that nobody can look into is BUSY while it moves",
			{ heartbeatAge: 444, pidLooks: "unreadable" },
			"BUSY",
			1,
			"moved 3s ago",
		],
		[
			"alive without a cycle is WEDGED",
			{ cycleAge: 1801 },
			"WEDGED",
			4,
			"no compose cycle for 1801s",
		],
		[
			"no file and no process is DOWN",
			{ heartbeatAge: null, pid: null, pidLooks: "none" },
			"DOWN",
			2,
			"no heartbeat file",
		],
		[
			"a dead pid is DOWN",
			{ pidLooks: "dead", flockFree: true },
			"DOWN",
			2,
			"watcher pid=4711 DEAD (heartbeat age=5s)",
		],
		[
			"an unknown pid with a stale heartbeat is DOWN, with a note on recent progress",
			{ heartbeatAge: 500, pid: null, pidLooks: "none" },
			"DOWN",
			2,
			"heartbeat stale (age=500s); progress 3s ago",
		],
		[
			"alive and not moving is WEDGED",
			{ heartbeatAge: 9, progressAges: [1000] },
			"WEDGED",
			4,
			"watcher pid=4711 alive but WEDGED: no forward progress for 1000s (heartbeat age=9s)",
		],
	] as const)
		test(rule, () => {
			const verdict = livenessVerdict(seen(over), LIMITS);
			expect([verdict.state, verdict.rc]).toEqual([state, rc]);
			expect(verdict.reason).toContain(reason);
		});

	test("of a dead pid has no word of progress, which was the dead one's", () => {
		const dead = seen({ pidLooks: "dead", flockFree: true, heartbeatAge: 500 });
		expect(livenessVerdict(dead, LIMITS).reason).toBe(
			"watcher pid=4711 DEAD (heartbeat age=500s)",
		);
		const hidden = seen({ pidLooks: "dead", heartbeatAge: 500 });
		expect(livenessVerdict(hidden, LIMITS).reason).toBe(
			"heartbeat stale (age=500s)",
		);
	});

	test("prints nine lines, ages ahead of now as 0 and missing ones as ?", () => {
		const verdict = livenessVerdict(
			seen({ heartbeatAge: -4, cycleAge: null, progressAges: [-1] }),
			LIMITS,
		);
		expect(verdictLines(verdict)).toEqual([
			"state=UP",
			"rc=0",
			"pid=4711",
			"hb_age=0",
			"progress_age=0",
			"cycle_age=?",
			"period_s=60",
			"wedge_cutoff=900",
			"reason=heartbeat fresh (age=0s)",
		]);
	});
});

describe("the limits", () => {
	test("grow with a slow cycle and never fall below their floors", () => {
		expect(wedgeCutoff(0, LIMITS)).toBe(900);
		expect(wedgeCutoff(300, LIMITS)).toBe(1200);
		expect(cycleCutoff(60, LIMITS)).toBe(1800);
		expect(cycleCutoff(400, LIMITS)).toBe(2400);
	});

	test("take positive whole numbers from the environment, else their defaults", () => {
		const limits = livenessLimits(
			{
				MONITOR_WATCHER_WEDGE_MULTIPLIER: "2",
				MONITOR_WATCHER_WEDGE_FLOOR_SECONDS: "0",
				MONITOR_WATCHER_CYCLE_STALL_MULTIPLIER: "ten",
				MONITOR_WATCHER_CYCLE_STALL_FLOOR_SECONDS: "60",
			},
			60,
		);
		expect(limits).toMatchObject({
			wedgeMultiplier: 2,
			wedgeFloorSeconds: 900,
			cycleMultiplier: 6,
			cycleFloorSeconds: 60,
		});
	});

	for (const [interval, floor, cutoff] of [
		[60, 300, 420],
		[60, 0, 360],
		[600, 300, 3600],
	] as const)
		test(`deadCutoff(${interval}, ${floor}) = ${cutoff}`, () => {
			expect(deadCutoff(interval, floor)).toBe(cutoff);
		});
});
