import { describe, expect, test } from "bun:test";
import { SHUTDOWN, UNKNOWN_TASK } from "../../monitor/watcher/_scheduler.ts";
import { heldTask, schedulerRig } from "./scheduler-rig.ts";

describe("a sync task", () => {
	test("fires on the first tick, then when its interval has passed", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 10);
		await rig.tickAt(1000);
		expect(rig.scheduler.nextFireOf("t")).toBe(1010);
		await rig.tickAt(1005);
		await rig.tickAt(1010);
		expect(rig.fired).toEqual(["t@1000", "t@1010"]);
		expect(rig.scheduler.nextFireOf("t")).toBe(1020);
	});

	test("follows an override while it lasts, then its base again", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 60);
		await rig.tickAt(1000);
		rig.scheduler.override("t", 5, 60);
		expect(rig.scheduler.nextFireOf("t")).toBe(1005);
		await rig.tickAt(1005);
		expect(rig.scheduler.nextFireOf("t")).toBe(1010);
		await rig.tickAt(1010);
		expect(rig.scheduler.nextFireOf("t")).toBe(1015);
	});

	test("is back on its base at the tick where the override ends", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 60);
		await rig.tickAt(1000);
		rig.scheduler.override("t", 5, 20);
		await rig.tickAt(1020);
		expect(rig.scheduler.nextFireOf("t")).toBe(1080);
	});

	test("stays due at once when an override follows a fireNow", async () => {
		const rig = schedulerRig(20_000);
		rig.task("t", 60);
		await rig.tickAt(20_000);
		rig.scheduler.fireNow("t");
		rig.scheduler.override("t", 5, 60);
		expect(rig.scheduler.nextFireOf("t")).toBe(0);
	});

	test("is put off while it defers, and is back at once when it is well", async () => {
		const rig = schedulerRig(1000);
		let rc = 75;
		rig.task("t", 60, () => rc);
		await rig.tickAt(1000);
		expect(rig.scheduler.nextFireOf("t")).toBe(1120);
		await rig.tickAt(1120);
		expect(rig.scheduler.nextFireOf("t")).toBe(1240);
		rc = 0;
		await rig.tickAt(1240);
		expect(rig.scheduler.nextFireOf("t")).toBe(1300);
	});

	test("counts its interval from the end of its run", async () => {
		const rig = schedulerRig(1000);
		rig.scheduler.register("t", 10, async (run) => {
			await run.doors.clock.sleep(25_000);
			return { rc: 0 };
		});
		const tick = rig.scheduler.tick();
		await rig.clock.advance(25_000);
		await tick;
		expect(rig.scheduler.nextFireOf("t")).toBe(1035);
	});

	test("is aborted after 30 s with rc 124, and a write it tries then throws", async () => {
		const rig = schedulerRig(1000);
		const { fn, runs } = heldTask();
		rig.scheduler.register("t", 10, fn);
		rig.task("u", 10);
		const tick = rig.scheduler.tick();
		await rig.clock.advance(30_000);
		await tick;
		expect(runs[0]!.run.signal.aborted).toBe(true);
		expect(() => runs[0]!.run.doors.files.writeAtomic("/s/x", "")).toThrow();
		expect(rig.events()[0]).toMatchObject({ rc: 124, elapsed_ms: 30_000 });
		expect(rig.log.messages("warn")).toEqual([
			"scheduler[t] did not end in time; aborted",
		]);
		expect(rig.fired).toEqual(["u@1030"]);
	});

	test("that is asked for again during its run fires at the next tick", async () => {
		const rig = schedulerRig(1000);
		const { fn, runs } = heldTask();
		rig.scheduler.register("t", 600, fn);
		const tick = rig.scheduler.tick();
		await rig.clock.settle();
		rig.scheduler.fireNow("t");
		runs[0]!.end({ rc: 0 });
		await tick;
		expect(rig.scheduler.nextFireOf("t")).toBe(0);
	});

	test("that throws ends with rc 1, its stack in the log, and the others still run", async () => {
		const rig = schedulerRig(1000);
		rig.scheduler.register("a", 10, async () => {
			throw new Error("bug in a", { cause: new Error("torn row") });
		});
		rig.task("b", 10);
		await rig.tickAt(1000);
		expect(rig.events()[0]).toMatchObject({ task: "a", rc: 1 });
		const log = rig.log.messages().join("\n");
		expect(log).toMatch(/^scheduler\[a rc=1\] Error: bug in a$/m);
		expect(log).toMatch(/caused by Error: torn row/);
		expect(rig.fired).toEqual(["b@1000"]);
	});

	test("stages its output, and an rc that is no integer counts as 0", async () => {
		const rig = schedulerRig(1000);
		rig.scheduler.register("t", 10, async () => ({
			rc: Number.NaN,
			out: "row\n",
		}));
		await rig.tickAt(1000);
		expect(rig.staged("t")).toBe("row\n");
		expect(rig.events()[0]).toMatchObject({ rc: 0 });
	});
});

test("due tasks fire in byte order of their names", async () => {
	const rig = schedulerRig(1000);
	for (const name of ["mango", "zebra", "alpha"]) rig.task(name, 60);
	await rig.tickAt(1000);
	expect(rig.fired).toEqual(["alpha@1000", "mango@1000", "zebra@1000"]);
});

test("registering without a name or with a broken interval registers nothing", () => {
	const rig = schedulerRig(1000);
	expect(rig.task("", 10)).toBe(UNKNOWN_TASK);
	expect(rig.task("t", 1.5)).toBe(UNKNOWN_TASK);
	expect(rig.task("t", Number.NaN)).toBe(UNKNOWN_TASK);
	expect(rig.scheduler.isRegistered("t")).toBe(false);
});

test("registering again changes the task and keeps its due time", async () => {
	const rig = schedulerRig(1000);
	rig.task("t", 60);
	await rig.tickAt(1000);
	rig.scheduler.register("t", 10, async () => ({ rc: 0, out: "new" }));
	expect(rig.scheduler.nextFireOf("t")).toBe(1060);
	await rig.tickAt(1060);
	expect(rig.staged("t")).toBe("new");
	expect(rig.scheduler.nextFireOf("t")).toBe(1070);
});

test("every operation on an unknown task answers 64", () => {
	const { scheduler } = schedulerRig(1000);
	expect([
		scheduler.override("no", 5, 60),
		scheduler.skipUntil("no", 2000),
		scheduler.fireNow("no"),
		scheduler.enable("no"),
		scheduler.disable("no"),
	]).toEqual([64, 64, 64, 64, 64]);
});

test("a disabled task keeps its place and fires when it is enabled", async () => {
	const rig = schedulerRig(1000);
	rig.task("t", 60);
	rig.scheduler.disable("t");
	await rig.tickAt(1000);
	expect(rig.fired).toEqual([]);
	rig.scheduler.enable("t");
	await rig.tickAt(1001);
	expect(rig.fired).toEqual(["t@1001"]);
});

test("skipUntil holds a task back, and a time that has passed means now", async () => {
	const rig = schedulerRig(1000);
	rig.task("t", 10);
	rig.scheduler.skipUntil("t", 1100);
	await rig.tickAt(1050);
	expect(rig.fired).toEqual([]);
	rig.scheduler.skipUntil("t", 1);
	expect(rig.scheduler.nextFireOf("t")).toBe(1050);
	await rig.tickAt(1050);
	expect(rig.fired).toEqual(["t@1050"]);
});

test("a shutdown requested by one task keeps the later ones from firing", async () => {
	const rig = schedulerRig(1000);
	rig.scheduler.register("a", 10, async () => {
		rig.scheduler.requestShutdown();
		return { rc: 0 };
	});
	rig.task("b", 10);
	expect(await rig.tickAt(1000)).toBe(SHUTDOWN);
	expect(rig.fired).toEqual([]);
});

test("a shutdown ends the sync run in flight, waiting 3 s for one that does not heed it", async () => {
	const rig = schedulerRig(1000);
	const { fn, runs } = heldTask();
	rig.scheduler.register("t", 10, fn);
	const tick = rig.scheduler.tick();
	await rig.clock.advance(5_000);
	rig.scheduler.requestShutdown();
	expect(runs[0]!.run.signal.aborted).toBe(true);
	await rig.clock.advance(3_000);
	expect(await tick).toBe(SHUTDOWN);
	expect(rig.clock.now()).toBe(1008);
});

describe("the sleep of the loop", () => {
	test("ends early when something needs somebody now", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 60);
		await rig.tickAt(1000);
		const slept = rig.scheduler.sleep();
		await rig.clock.advance(200);
		rig.scheduler.wake();
		expect(await slept).toBe(0);
		expect(rig.clock.nowMs()).toBe(1_000_200);
	});

	test("does not start when the wake came during the tick", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 60);
		await rig.tickAt(1000);
		rig.scheduler.wake();
		expect(await rig.scheduler.sleep()).toBe(0);
		expect(rig.clock.nowMs()).toBe(1_000_000);
	});

	test("lasts its time again after one that a wake has ended", async () => {
		const rig = schedulerRig(1000);
		rig.task("t", 60);
		await rig.tickAt(1000);
		rig.scheduler.wake();
		await rig.scheduler.sleep();
		let isOver = false;
		const slept = rig.scheduler.sleep().then(() => {
			isOver = true;
		});
		await rig.clock.advance(9_999);
		expect(isOver).toBe(false);
		await rig.clock.advance(1);
		await slept;
	});

	test("is not shortened by a task that is disabled", async () => {
		const rig = schedulerRig(1000);
		rig.task("off", 1);
		rig.scheduler.disable("off");
		let isOver = false;
		const slept = rig.scheduler.sleep().then(() => {
			isOver = true;
		});
		await rig.clock.advance(9_999);
		expect(isOver).toBe(false);
		await rig.clock.advance(1);
		await slept;
	});

	test("does not begin once a shutdown is requested", async () => {
		const rig = schedulerRig(1000);
		rig.scheduler.requestShutdown();
		expect(await rig.scheduler.sleep()).toBe(99);
		expect(rig.clock.now()).toBe(1000);
	});

	test("ends with 99 when shutdown is requested", async () => {
		const rig = schedulerRig(1000);
		const slept = rig.scheduler.sleep();
		rig.scheduler.requestShutdown();
		expect(await slept).toBe(SHUTDOWN);
	});

	test("does not count a task in flight, whose run wakes it by settling", async () => {
		const rig = schedulerRig(1000);
		const { fn, runs } = heldTask();
		rig.scheduler.register("t", 60, fn, { async: true });
		await rig.tickAt(1000);
		rig.scheduler.fireNow("t");
		const slept = rig.scheduler.sleep();
		await rig.clock.advance(3_000);
		runs[0]!.end({ rc: 0 });
		await slept;
		expect(rig.clock.now()).toBe(1003);
	});
});

test("each tick says when it begins and ends, and whose result it took", async () => {
	const heard: string[] = [];
	const rig = schedulerRig(1000, {
		beforeTick: () => heard.push("before"),
		afterTick: () => heard.push("after"),
		onReaped: (task) => heard.push(`reaped ${task}`),
	});
	const { fn, runs } = heldTask();
	rig.scheduler.register("t", 60, fn, { async: true });
	await rig.tickAt(1000);
	runs[0]!.end({ rc: 0 });
	await rig.clock.settle();
	await rig.tickAt(1001);
	expect(heard).toEqual(["before", "after", "before", "reaped t", "after"]);
});

test("a telemetry line has its keys in the agreed order", async () => {
	const rig = schedulerRig(1000);
	rig.task("t", 10);
	await rig.tickAt(1000);
	expect(rig.files.text("/s/watcher-scheduler.jsonl")).toBe(
		`{"ts":"${rig.clock.iso(1000)}","task":"t","rc":0,"elapsed_ms":0,"next_fire":1010,"phase":"sync"}\n`,
	);
});

test("a torn telemetry line costs only itself", async () => {
	const rig = schedulerRig(1000);
	rig.files.seed("/s/watcher-scheduler.jsonl", '{"ts":"20');
	rig.task("t", 10);
	await rig.tickAt(1000);
	const lines = rig.files.text("/s/watcher-scheduler.jsonl").split("\n");
	expect(lines[0]).toBe('{"ts":"20');
	expect(JSON.parse(lines[1] ?? "")).toMatchObject({ task: "t" });
});
