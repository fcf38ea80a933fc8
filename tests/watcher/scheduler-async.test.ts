import { describe, expect, test } from "bun:test";
import { asyncBudget } from "../../monitor/watcher/_scheduler/watchdog.ts";
import { heldTask, schedulerRig } from "./scheduler-rig.ts";

function asyncRig(interval = 10, start = 1000) {
	const rig = schedulerRig(start);
	const held = heldTask();
	rig.scheduler.register("t", interval, held.fn, { async: true });
	return { ...rig, runs: held.runs };
}
const phases = (rig: { events(): { phase: string; rc: number }[] }) =>
	rig.events().map((e) => `${e.phase} ${e.rc}`);

describe("the budget of an async run", () => {
	const rows: [number, number, number, number][] = [
		[10, 300, 0, 300],
		[600, 300, 0, 2400],
		[10, 0, 3, 0],
		[60, 300, 0, 300],
		[60, 300, 1, 600],
		[60, 300, 2, 1200],
		[60, 300, 5, 1200],
	];
	test.each(rows)(
		"interval %i, floor %i, streak %i: %i s",
		(interval, floor, streak, seconds) => {
			expect(asyncBudget(interval, floor, streak, 2)).toBe(seconds);
		},
	);
});

describe("an async run", () => {
	test("does not hold the tick, and is not started twice", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		await rig.tickAt(1010);
		expect(rig.runs).toHaveLength(1);
		expect(rig.scheduler.nextFireOf("t")).toBe(1010);
	});

	test("is reaped by the tick after it settled: output, telemetry, its lines in the log", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		rig.runs[0]!.run.log("looked at 3 panes");
		rig.runs[0]!.end({ rc: 3, out: "row\n" });
		await rig.clock.settle();
		expect(rig.staged("t")).toBeNull();
		await rig.tickAt(1004);
		expect(rig.staged("t")).toBe("row\n");
		expect(phases(rig)).toEqual(["async-start 0", "async-done 3"]);
		expect(rig.log.messages()).toEqual(["scheduler[t rc=3] looked at 3 panes"]);
		expect(rig.files.text("/s/scheduler-staging/t.err")).toBe(
			"looked at 3 panes\n",
		);
	});

	test("begins with an empty list of its lines", async () => {
		const rig = asyncRig();
		rig.files.seed("/s/scheduler-staging/t.err", "of the run before\n");
		await rig.tickAt(1000);
		expect(rig.files.text("/s/scheduler-staging/t.err")).toBe("");
	});

	test("measures its time on the monotonic clock, from launch to end", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		await rig.clock.advance(2_500);
		rig.runs[0]!.end({ rc: 0 });
		await rig.tickAt(1009);
		expect(rig.events()[1]).toMatchObject({ elapsed_ms: 2500 });
	});

	test("is due again an interval after its launch, not after its end", async () => {
		const rig = asyncRig(60);
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 0 });
		await rig.tickAt(1050);
		expect(rig.scheduler.nextFireOf("t")).toBe(1060);
	});

	test("that defers is put off", async () => {
		const rig = asyncRig(60);
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 75 });
		await rig.tickAt(1010);
		expect(rig.scheduler.nextFireOf("t")).toBe(1120);
	});

	test("that gives no output leaves what is staged", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 0, out: "kept\n" });
		await rig.tickAt(1010);
		rig.runs[1]!.end({ rc: 0 });
		await rig.tickAt(1015);
		expect(rig.staged("t")).toBe("kept\n");
	});

	test("with the same bytes leaves the file's mtime, so that nothing is hurried twice", async () => {
		const rig = asyncRig();
		const mtime = () => {
			const s = rig.files.stat("/s/scheduler-staging/t.out");
			return s.kind === "ok" ? s.stat.mtimeMs : null;
		};
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 0, out: "row\n" });
		await rig.tickAt(1010);
		const first = mtime();
		rig.runs[1]!.end({ rc: 0, out: "row\n" });
		await rig.tickAt(1020);
		expect(mtime()).toBe(first);
		rig.runs[2]!.end({ rc: 0, out: "other\n" });
		await rig.tickAt(1030);
		expect(mtime()).not.toBe(first);
	});

	test("writes the same bytes anew over a predecessor's file", async () => {
		const rig = asyncRig();
		rig.files.seed("/s/scheduler-staging/t.out", "row\n", { mtime: 900 });
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 0, out: "row\n" });
		await rig.tickAt(1010);
		const found = rig.files.stat("/s/scheduler-staging/t.out");
		expect(found.kind === "ok" && found.stat.mtimeMs).toBe(1_010_000);
	});

	test("that floods its log is replayed as 20 lines of 300 characters and one that says so", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		for (let i = 0; i < 25; i++)
			rig.runs[0]!.run.log(`${i} ${"x".repeat(400)}`);
		rig.runs[0]!.run.log("   ");
		rig.runs[0]!.end({ rc: 0 });
		await rig.tickAt(1004);
		const lines = rig.log.messages();
		expect(lines).toHaveLength(21);
		expect(lines[0]).toHaveLength("scheduler[t] ".length + 300);
		expect(lines[20]).toBe("scheduler[t] … 5 more line(s) left out");
	});

	test("whose output cannot be written says so once, not at every run", async () => {
		const rig = asyncRig();
		const heal = rig.files.faults.fail({ path: /t\.out/, code: "ENOSPC" });
		for (const at of [1000, 1010, 1020]) {
			await rig.tickAt(at);
			rig.runs.at(-1)!.end({ rc: 0, out: "row\n" });
		}
		await rig.tickAt(1025);
		expect(rig.log.messages("warn")).toHaveLength(1);
		heal();
		await rig.tickAt(1030);
		rig.runs.at(-1)!.end({ rc: 0, out: "row\n" });
		await rig.tickAt(1035);
		expect(rig.staged("t")).toBe("row\n");
	});
});

describe("the hang watchdog", () => {
	test("aborts at the budget with rc 124, abandons 10 s later, and drops what comes late", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		await rig.tickAt(1299);
		expect(rig.runs[0]!.run.signal.aborted).toBe(false);
		await rig.tickAt(1300);
		expect(rig.runs[0]!.run.signal.aborted).toBe(true);
		expect(phases(rig)).toEqual(["async-start 0", "async-timeout 124"]);
		expect(rig.events().map((e) => e.elapsed_ms)).toEqual([0, 300_000]);
		expect(rig.log.messages("warn")).toEqual([
			"scheduler[t] aborted after 300s (budget 300s, next budget 600s)",
		]);
		await rig.tickAt(1309);
		expect(rig.runs).toHaveLength(1);
		await rig.tickAt(1310);
		expect(rig.log.messages("warn")[1]).toContain("abandoned");
		expect(rig.runs).toHaveLength(2);

		await rig.clock.advance(90_000);
		rig.runs[0]!.end({ rc: 0, out: "late\n" });
		await rig.tickAt(1401);
		expect(rig.staged("t")).toBeNull();
		const { doors } = rig.runs[0]!.run;
		expect(() => doors.files.writeAtomic("/s/x", "late")).toThrow();
		rig.runs[1]!.run.doors.files.writeAtomic("/s/x", "of the next run");
		expect(rig.files.text("/s/x")).toBe("of the next run");
	});

	test("is off without a floor", async () => {
		const rig = schedulerRig(1000, { timeoutFloorSeconds: 0 });
		const { fn, runs } = heldTask();
		rig.scheduler.register("t", 10, fn, { async: true });
		for (const at of [1000, 1310, 90_000]) await rig.tickAt(at);
		expect(runs).toHaveLength(1);
		expect(runs[0]!.run.signal.aborted).toBe(false);
	});

	test.each([
		["that heeds its abort", true],
		["that is abandoned", false],
	])("keeps the lines of a run %s", async (_what, heeds) => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		rig.runs[0]!.run.log("page 1 of 9");
		await rig.tickAt(1300);
		if (heeds) rig.runs[0]!.end({ rc: 0 });
		await rig.clock.settle();
		await rig.tickAt(1310);
		expect(rig.log.messages()).toContain("scheduler[t rc=124] page 1 of 9");
	});

	test("shuts the doors of a run that was reaped", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		const { doors } = rig.runs[0]!.run;
		rig.runs[0]!.end({ rc: 0 });
		await rig.clock.settle();
		await rig.tickAt(1005);
		expect(() => doors.files.writeAtomic("/s/x", "late")).toThrow();
	});

	test("keeps what a run hands in within 10 s of its abort; the rc stays 124", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		await rig.tickAt(1300);
		await rig.clock.advance(5_000);
		rig.runs[0]!.end({ rc: 0, out: "block 1\nblock 2\n" });
		await rig.tickAt(1306);
		expect(rig.staged("t")).toBe("block 1\nblock 2\n");
		expect(phases(rig).slice(0, 2)).toEqual([
			"async-start 0",
			"async-timeout 124",
		]);
		expect(phases(rig)).not.toContain("async-done 0");
	});

	test("reaps a run that settled, however late the tick comes", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		rig.runs[0]!.end({ rc: 0, out: "row\n" });
		await rig.tickAt(5000);
		expect(rig.staged("t")).toBe("row\n");
		expect(phases(rig)).toContain("async-done 0");
	});

	test("doubles the budget with each kill in a row, and a healthy run resets it", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		await rig.tickAt(1300);
		await rig.tickAt(1310);
		await rig.tickAt(1310 + 599);
		expect(rig.runs[1]!.run.signal.aborted).toBe(false);
		rig.runs[1]!.end({ rc: 0 });
		await rig.tickAt(2000);
		await rig.tickAt(2299);
		expect(rig.runs[2]!.run.signal.aborted).toBe(false);
		await rig.tickAt(2300);
		expect(rig.runs[2]!.run.signal.aborted).toBe(true);
	});
});

describe("draining", () => {
	test("is done when all runs were taken", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		const drained = rig.scheduler.drain(60);
		await rig.clock.advance(5_000);
		rig.runs[0]!.end({ rc: 0, out: "row\n" });
		expect(await drained).toBe(true);
		expect(rig.staged("t")).toBe("row\n");
	});

	test("gives up at its limit", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		const drained = rig.scheduler.drain(60);
		await rig.clock.advance(60_000);
		expect(await drained).toBe(false);
	});

	test("at the end of the process, runs are aborted, waited for 3 s, and their doors shut", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		const ended = rig.scheduler.abortAll();
		expect(rig.runs[0]!.run.signal.aborted).toBe(true);
		await rig.clock.advance(3_000);
		await ended;
		const { files } = rig.runs[0]!.run.doors;
		expect(() => files.writeAtomic("/s/x", "")).toThrow();
	});
});

describe("after a clock gap", () => {
	test("epochs follow a wall clock that stepped back, so that nothing waits for the lost hour", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 10);
		await rig.tickAt(1000);
		rig.clock.stepWall(-610_000);
		await rig.clock.advance(10_000);
		rig.scheduler.afterClockGap(120, -610);
		expect(rig.scheduler.nextFireOf("t")).toBe(400);
	});

	test("budgets start anew", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		rig.clock.stall(3_600_000);
		rig.scheduler.afterClockGap(120, 0);
		await rig.tickAt(4601);
		expect(rig.runs[0]!.run.signal.aborted).toBe(false);
		await rig.tickAt(4900);
		expect(rig.runs[0]!.run.signal.aborted).toBe(true);
	});

	test("runs are told until the grace ends, those in flight too", async () => {
		const rig = asyncRig();
		await rig.tickAt(1000);
		const { run } = rig.runs[0]!;
		expect(run.afterGap).toBe(false);
		rig.scheduler.afterClockGap(120, 0);
		expect(run.afterGap).toBe(true);
		await rig.clock.advance(119_000);
		expect(run.afterGap).toBe(true);
		await rig.clock.advance(1_000);
		expect(run.afterGap).toBe(false);
	});
});
