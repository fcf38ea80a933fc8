import { describe, expect, test } from "bun:test";
import type { Verdict } from "../../monitor/_liveness/verdict.ts";
import { readReviveHistory } from "../../monitor/_state/revive-history.ts";
import {
	parseWatcherRevived,
	watcherRevivedPath,
} from "../../monitor/_state/watcher-revived.ts";
import { requestStop } from "../../monitor/_state/watcher-stop-requested.ts";
import {
	decideRestart,
	decideRevive,
	type RestartFacts,
	type ReviveFacts,
} from "../../monitor/watcher/_revive/decide.ts";
import { revive } from "../../monitor/watcher/_revive.ts";
import {
	STATE,
	type WatcherLook,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

interface Revived {
	readonly rc: number;
	readonly said: string;
	/** How often svc was asked to restart. */
	readonly restarts: number;
}

async function run(world: WatcherWorld, svcExit = 0): Promise<Revived> {
	const { proc } = world.doors;
	const before = proc.execs.length;
	proc.answer(/restart watcher$/, { rc: svcExit, stdout: "svc said so\n" });
	let said = "";
	const rc = await revive(world.doors, world.settings, (line) => {
		said += `${line}\n`;
	});
	return { rc, said, restarts: proc.execs.length - before };
}

/** What the next sweep finds; null where nothing was left. */
function mark({ doors }: WatcherWorld) {
	const read = doors.files.read(watcherRevivedPath(STATE));
	return read.kind === "ok" ? parseWatcherRevived(read.text) : null;
}

const verdict = (
	bucket: Verdict["bucket"],
	progressAge: number | null = 5000,
): Verdict => ({
	...{ state: "DOWN", rc: 2, pid: 700, reason: "x", bucket, progressAge },
	...{ heartbeatAge: 444, cycleAge: null, periodSeconds: 60, wedgeCutoff: 900 },
});
const group = (leader: "live" | "dead") => ({
	...{ pgid: 700, leader, members: [700], unverified: [] },
});

describe("by one look", () => {
	const down: ReviveFacts = {
		verdict: verdict(2),
		stopRequested: "no",
		writable: true,
		groups: [group("live")],
	};
	test.each<[string, Partial<ReviveFacts>, string]>([
		["nothing stands against it", {}, "look-again"],
		[
			"stopped on purpose, first of all",
			{ stopRequested: "yes", writable: false },
			"stopped",
		],
		[
			"fresh, whatever the disk",
			{ verdict: verdict(0), writable: false },
			"alive",
		],
		["late", { verdict: verdict(1) }, "alive"],
		["a disk that takes no writes", { writable: false }, "alarm"],
		[
			"nobody knows whether it was stopped",
			{ stopRequested: "unknown" },
			"alarm",
		],
		[
			"it moves, to the last second",
			{ verdict: verdict(2, 900) },
			"refuse-alive",
		],
		[
			"the same before its first heartbeat",
			{ verdict: verdict(3, 0) },
			"refuse-alive",
		],
		["it moved too long ago", { verdict: verdict(2, 901) }, "look-again"],
		[
			"nobody knows whether it moves",
			{ verdict: verdict(2, null) },
			"look-again",
		],
		[
			"wedged, although something moves",
			{ verdict: verdict(4, 0) },
			"look-again",
		],
		[
			"what moves has lost its leader",
			{ verdict: verdict(2, 0), groups: [group("dead")] },
			"look-again",
		],
		[
			"no process table, and something moves",
			{ verdict: verdict(2, 0), groups: null },
			"alarm",
		],
		[
			"no process table, and nothing moves",
			{ verdict: verdict(2, 901), groups: null },
			"look-again",
		],
	])("%s", (_what, over, kind) => {
		expect(decideRevive({ ...down, ...over }).kind).toBe(kind as never);
	});
});

describe("by the second look", () => {
	const down: RestartFacts = {
		verdict: verdict(2),
		moved: false,
		history: [],
		now: 1000,
		loopLimit: 2,
		loopWindowSeconds: 600,
	};
	test.each<[string, Partial<RestartFacts>, string]>([
		["as before", {}, "restart"],
		["it moved", { moved: true }, "moved"],
		["fresh by now", { verdict: verdict(0) }, "alive"],
		["late by now", { verdict: verdict(1) }, "alive"],
		["the history cannot be read", { history: null }, "alarm"],
		["one revival in the window", { history: [400, 399] }, "restart"],
		["two of them", { history: [400, 900] }, "loop"],
	])("%s", (_what, over, kind) => {
		expect(decideRestart({ ...down, ...over }).kind).toBe(kind as never);
	});
});

describe("the first rule that matches decides", () => {
	const cases: readonly (readonly [string, WatcherLook, number, number])[] = [
		["alive: nothing", {}, 0, 0],
		["late: nothing", { heartbeatAge: 400 }, 0, 0],
		[
			"its heartbeat stale, its loop moving: refused, nothing killed",
			{ heartbeatAge: 444, progressAge: 0 },
			5,
			0,
		],
		[
			"alive before its first heartbeat: refused",
			{ heartbeatAge: null, progressAge: 0 },
			5,
			0,
		],
		["dead: restarted", { alive: false }, 0, 1],
		[
			"dead without a heartbeat: restarted",
			{ alive: false, heartbeatAge: null },
			0,
			1,
		],
		["wedged: restarted", { progressAge: 1000 }, 0, 1],
	];
	for (const [rule, look, rc, restarts] of cases)
		test(rule, async () => {
			const world = await watcherWorld();
			world.watcher(look);
			expect(await run(world)).toMatchObject({ rc, restarts });
			expect(world.doors.proc.signals).toEqual([]);
		});

	test("stopped on purpose: nothing, although it is dead", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		requestStop(world.doors.files, STATE);
		expect(await run(world)).toMatchObject({ rc: 0, restarts: 0 });
	});

	test("a disk that takes no writes: 4, because a successor could not start either", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		world.doors.files.faults.readOnly = true;
		expect(await run(world)).toMatchObject({ rc: 4, restarts: 0 });
	});

	test("it moved at the second look: nothing", async () => {
		const world = await watcherWorld();
		world.watcher({ heartbeatAge: 9000, progressAge: 9000 });
		world.doors.clock.after(5_000, () => world.watcher());
		expect(await run(world)).toMatchObject({ rc: 0, restarts: 0 });
	});

	test("five revivals within ten minutes: 3, a bell and a notice, nothing recorded; later again", async () => {
		const world = await watcherWorld();
		world.doors.proc.programs.set("sandbox-notify", "/bin/sandbox-notify");
		world.doors.proc.answer("sandbox-notify", 0);
		world.watcher({ alive: false });
		for (let i = 0; i < 5; i++)
			expect(await run(world)).toMatchObject({ rc: 0, restarts: 1 });
		const sixth = await run(world);
		expect(sixth.rc).toBe(3);
		const rung = world.doors.proc.execs.slice(-2).map(({ argv }) => argv);
		expect(rung).toEqual([
			["/bin/sandbox-notify", expect.stringMatching(/^watcher: /)],
			expect.arrayContaining(["--priority", "emergency"]),
		]);
		expect(readReviveHistory(world.doors.files, STATE)).toHaveLength(5);
		await world.doors.clock.advance(601_000);
		expect(await run(world)).toMatchObject({ rc: 0, restarts: 1 });
	});
});

describe("a restart", () => {
	test("goes through svc, with our root and state dir, and names itself as the caller", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		await run(world);
		const [exec] = world.doors.proc.execs;
		expect(exec?.argv.slice(-3)).toEqual([
			"/code/monitor/svc.ts",
			"restart",
			"watcher",
		]);
		expect(exec?.opts.env).toMatchObject({
			NEXUS_ROOT: "/root",
			NEXUS_STATE_DIR: STATE,
			WATCHER_LAUNCH_CALLER: "revive-watcher",
		});
	});

	test("REVIVE_SVC_BIN stands in for svc, and its exit code is ours", async () => {
		const world = await watcherWorld({ env: { REVIVE_SVC_BIN: "/bin/mysvc" } });
		world.watcher({ alive: false });
		expect((await run(world, 6)).rc).toBe(6);
		expect(world.doors.proc.execs[0]?.argv[0]).toBe("/bin/mysvc");
	});

	test("says that exactly one runs, how to check, and how to arm again", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		const { said } = await run(world);
		for (const part of [
			"svc said so",
			"exactly ONE live watcher",
			"monitor/svc.ts status",
			"watcher-supervise-tick.ts",
		])
			expect(said).toContain(part);
	});

	test("leaves a mark for the next sweep, with the downtime", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false, heartbeatAge: 90 });
		await run(world);
		expect(mark(world)).toEqual({
			downtimeEstimateSeconds: 90,
			reason: "watcher pid=700 DEAD (heartbeat age=90s)",
			restartedBy: "orchestrator-monitor",
			detectedAt: expect.any(String),
		});
	});

	test("of a watcher that never ran leaves none", async () => {
		const world = await watcherWorld();
		expect(await run(world)).toMatchObject({ rc: 0, restarts: 1 });
		expect(mark(world)).toBeNull();
	});
});
