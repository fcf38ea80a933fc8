import { describe, expect, test } from "bun:test";
import { supervisorHeartbeatPath } from "../../monitor/_state/supervisor-heartbeat.ts";
import { requestStop } from "../../monitor/_state/watcher-stop-requested.ts";
import { superviseTick } from "../../monitor/watcher/_supervise_tick.ts";
import {
	STATE,
	type WatcherLook,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

async function tick(
	world: WatcherWorld,
): Promise<{ readonly rc: number; readonly said: string }> {
	let said = "";
	const rc = await superviseTick(world.doors, world.settings, (text) => {
		said += text;
	});
	return { rc, said };
}

describe("one look of the supervisor", () => {
	const cases: readonly (readonly [string, WatcherLook, number, string])[] = [
		["a healthy watcher: 0, not a word", {}, 0, ""],
		["a late one: 0", { heartbeatAge: 200 }, 0, ""],
		[
			"interval 60: a heartbeat of 420 s is still late",
			{ heartbeatAge: 420 },
			0,
			"",
		],
		[
			"a stale heartbeat over recent progress: 0",
			{ heartbeatAge: 444, progressAge: 0 },
			0,
			"",
		],
		[
			"a dead one: 1",
			{ alive: false },
			1,
			"watcher DOWN: watcher pid=700 DEAD",
		],
		[
			"no heartbeat file and nobody there: 1",
			{ alive: false, heartbeatAge: null },
			1,
			"watcher DOWN: no heartbeat file",
		],
		[
			"one that stands still: 1",
			{ progressAge: 1000 },
			1,
			"--- watcher WEDGED (alive, not advancing) ---\nstate=WEDGED",
		],
	];
	for (const [rule, look, rc, said] of cases)
		test(rule, async () => {
			const world = await watcherWorld();
			world.watcher(look);
			const done = await tick(world);
			expect(done.rc).toBe(rc);
			if (said === "") expect(done.said).toBe("");
			else expect(done.said).toStartWith(said);
		});

	test("says how to revive, how to arm again, and where it is explained", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		const { said } = await tick(world);
		for (const part of [
			"1. ",
			"/code/monitor/revive-watcher.ts",
			"until ! /code/monitor/watcher-supervise-tick.ts; do sleep 15; done",
			"skills/nexus.service-recovery",
		])
			expect(said).toContain(part);
	});

	test("a watcher that wakes after a suspend is not reported", async () => {
		const world = await watcherWorld();
		world.watcher({ heartbeatAge: 28_800, progressAge: 28_800 });
		world.doors.clock.after(10_000, () => world.watcher());
		expect((await tick(world)).rc).toBe(0);
	});

	test("a watcher stopped on purpose is not reported, and wakes nobody", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		requestStop(world.doors.files, STATE);
		expect(await tick(world)).toEqual({ rc: 0, said: "" });
	});

	test("leaves its own heartbeat, by which the watcher knows that it is supervised", async () => {
		const world = await watcherWorld();
		world.watcher();
		await tick(world);
		expect(world.doors.files.has(supervisorHeartbeatPath(STATE))).toBe(true);
	});

	test("a disk that takes no writes is told once within the throttle, and the look goes on", async () => {
		const world = await watcherWorld();
		world.watcher();
		world.doors.files.faults.fail({
			path: /\.state(\/|$)/,
			code: "EROFS",
			ops: ["write", "touch", "probe"],
		});
		expect((await tick(world)).rc).toBe(0);
		expect((await tick(world)).rc).toBe(0);
		expect(world.doors.log.messages("warn")).toHaveLength(1);
		expect(world.doors.log.messages("warn")[0]).toContain("not writable");
	});
});
