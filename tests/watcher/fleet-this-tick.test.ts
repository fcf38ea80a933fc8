import { beforeEach, describe, expect, test } from "bun:test";
import type { Sweep } from "../../monitor/_pane/sweep.ts";
import { fleetThisTick } from "../../monitor/watcher/_loop/fleet-this-tick.ts";
import { type FakeClock, fakeClock } from "../fakes/clock.ts";
import { NO_TMUX } from "../fakes/tmux.ts";

const TTL_MS = 20_000;
let clock: FakeClock;
let sweeps: number;
let answer: () => Promise<Sweep>;
let look: (maxAgeMs?: number) => Promise<Sweep>;
let nextTick: () => void;
beforeEach(() => {
	clock = fakeClock();
	sweeps = 0;
	answer = async () => ({ kind: "ok", panes: [] });
	const sweep = () => {
		sweeps += 1;
		return answer();
	};
	const fleet = fleetThisTick(sweep, clock, TTL_MS);
	look = fleet.look;
	nextTick = fleet.forget;
});

describe("tasks that want to see the fleet", () => {
	test("share one look a tick, also while it is still on its way", async () => {
		await Promise.all([look(), look(), look()]);
		clock.stall(2_000);
		await look();
		expect(sweeps).toBe(1);
	});
	test("get a new one in the next tick, which something younger may have woken", async () => {
		await look();
		nextTick();
		await look();
		expect(sweeps).toBe(2);
	});
	test("get a new one when theirs is long ago, though no tick has passed", async () => {
		await look();
		clock.stall(2_001);
		await look();
		expect(sweeps).toBe(2);
	});
	test("may take an older one when they say so", async () => {
		await look();
		nextTick();
		clock.stall(10_000);
		await look(10_000);
		expect(sweeps).toBe(1);
		await look(9_999);
		expect(sweeps).toBe(2);
	});
	test("get none that is older than the limit for all of them", async () => {
		await look();
		nextTick();
		clock.stall(TTL_MS);
		await look(60_000);
		expect(sweeps).toBe(1);
		clock.stall(1);
		await look(60_000);
		expect(sweeps).toBe(2);
	});
	test("are not handed a failure for longer than a tick, however patient they are", async () => {
		answer = async () => ({ kind: "failed", failure: NO_TMUX });
		await look();
		nextTick();
		answer = async () => ({ kind: "ok", panes: [] });
		expect((await look(60_000)).kind).toBe("ok");
	});
	test("look anew after a look that broke", async () => {
		answer = () => Promise.reject(new Error("broken"));
		expect(look()).rejects.toThrow("broken");
		await clock.settle();
		answer = async () => ({ kind: "ok", panes: [] });
		expect((await look()).kind).toBe("ok");
	});
});
