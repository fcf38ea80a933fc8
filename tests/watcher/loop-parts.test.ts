import { beforeEach, describe, expect, test } from "bun:test";
import { guardedStep } from "../../monitor/watcher/_loop/guarded-step.ts";
import { panesThisTick } from "../../monitor/watcher/_loop/panes-this-tick.ts";
import {
	type TickerKeeper,
	tickerKeeper,
} from "../../monitor/watcher/_loop/ticker-keeper.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors();
});

describe("the ticker's keeper", () => {
	let keeper: TickerKeeper;
	beforeEach(() => {
		keeper = tickerKeeper(doors, {
			stateDir: "/s",
			mainPid: doors.proc.pid,
			mainStartTicks: "1",
			tickSeconds: 20,
			target: "orchestrator",
		});
	});

	test("starts one ticker and leaves it alone while it lives", () => {
		keeper.keep();
		keeper.keep();
		expect(doors.proc.spawned).toHaveLength(1);
		expect(doors.log.messages()).toEqual([]);
	});

	test("starts another when it is gone, says so, and not more often than every 5 s", async () => {
		keeper.keep();
		doors.proc.end(doors.proc.spawned[0]!.pid);
		keeper.keep();
		expect(doors.proc.spawned).toHaveLength(1);
		await doors.clock.advance(5_000);
		keeper.keep();
		expect(doors.proc.spawned).toHaveLength(2);
		expect(doors.log.messages("warn")[0]).toContain("restarted");
	});

	test("takes a zombie and a stranger with the same pid for gone", async () => {
		for (const over of [{ state: "Z" }, { startTicks: "77" }]) {
			keeper.keep();
			const { pid } = doors.proc.spawned.at(-1)!;
			doors.proc.add({ pid, ...over });
			await doors.clock.advance(5_000);
		}
		keeper.keep();
		expect(doors.proc.spawned).toHaveLength(3);
	});

	test("starts none while the process table cannot be read", async () => {
		keeper.keep();
		doors.proc.tableUnreadable = true;
		await doors.clock.advance(60_000);
		keeper.keep();
		expect(doors.proc.spawned).toHaveLength(1);
	});

	test("ends the ticker it started, and never a stranger of the same pid", () => {
		keeper.keep();
		const { pid } = doors.proc.spawned[0]!;
		keeper.stop();
		expect(doors.proc.signals).toEqual([{ pid, sig: "SIGTERM" }]);
		keeper.keep();
		doors.proc.add({ pid, startTicks: "77" });
		keeper.stop();
		expect(doors.proc.signals).toHaveLength(1);
	});

	test("reports a ticker that does not start", () => {
		doors.proc.spawnFails = "EAGAIN";
		keeper.keep();
		expect(doors.log.messages("warn")).toEqual([
			"heartbeat ticker did not start: EAGAIN",
		]);
	});
});

describe("the panes of a tick", () => {
	test("are asked for once, however many tasks want them", async () => {
		doors.tmux.window("orchestrator");
		const panes = panesThisTick(doors.tmux, doors.clock);
		const answers = await Promise.all([panes.look(), panes.look()]);
		expect(answers[0]).toBe(answers[1]!);
		expect(doors.tmux.trace()).toEqual(["panes"]);
	});

	test("are asked for anew in the next tick, and by a task that asks late", async () => {
		const panes = panesThisTick(doors.tmux, doors.clock);
		await panes.look();
		panes.forget();
		await panes.look();
		await doors.clock.advance(2_000);
		await panes.look();
		expect(doors.tmux.trace()).toHaveLength(3);
	});
});

test("a step that keeps failing is logged every ten minutes, not every loop", async () => {
	const step = guardedStep(doors);
	const fail = () => step("probe", () => Promise.reject(new Error("bug")));
	for (let i = 0; i < 5; i++) expect(await fail()).toBeUndefined();
	expect(doors.log.messages()).toHaveLength(1);
	await doors.clock.advance(600_000);
	await fail();
	expect(doors.log.messages()).toHaveLength(2);
	expect(await step("probe", () => 7)).toBe(7);
});
