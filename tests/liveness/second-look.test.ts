import { describe, expect, test } from "bun:test";
import { gatherLiveness } from "../../monitor/_liveness/liveness-facts.ts";
import { livenessLimits } from "../../monitor/_liveness/liveness-limits.ts";
import { confirmedVerdict } from "../../monitor/_liveness/second-look.ts";
import { watcherIdentity } from "../../monitor/_liveness/watcher-process.ts";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import {
	watcherCyclePath,
	writeWatcherCycle,
} from "../../monitor/_state/watcher-cycle.ts";
import {
	renderWatcherHeartbeat,
	watcherHeartbeatPath,
} from "../../monitor/_state/watcher-heartbeat.ts";
import { watcherLogPath } from "../../monitor/_state/watcher-log.ts";
import { watcherPidPath } from "../../monitor/_state/watcher-pid.ts";
import { watcherProgressPath } from "../../monitor/_state/watcher-progress.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";

const MAIN = "/code/monitor/watcher/main.ts";
const S = "/root/monitor/.state";
const NOW = 1_785_261_600;
const LIMITS = livenessLimits({}, 60);

function world(opts: {
	readonly heartbeatAge?: number;
	readonly progressAge?: number;
	readonly alive?: boolean;
}): FakeDoors {
	const doors = fakeDoors({ now: NOW });
	doors.files.seed(MAIN, "");
	doors.files.seedDir(S);
	// Started ten hours ago, so that its own youth is no sign of progress.
	if (opts.alive)
		doors.proc.add({
			pid: 700,
			argv: ["bun", MAIN],
			environ: { NEXUS_STATE_DIR: S },
			startTicks: String((86_400 - 36_000) * 100),
		});
	if (opts.heartbeatAge !== undefined)
		doors.files.seed(
			watcherHeartbeatPath(S),
			renderWatcherHeartbeat({ pid: 700, ts: "", target: "orchestrator" }),
			{ mtime: NOW - opts.heartbeatAge },
		);
	if (opts.progressAge !== undefined)
		doors.files.seed(watcherProgressPath(S), "pid=700\nepoch=1\n", {
			mtime: NOW - opts.progressAge,
		});
	return doors;
}
const identityOf = (doors: FakeDoors) =>
	watcherIdentity(doors.files, S, "/code");
const confirm = (doors: FakeDoors) =>
	confirmedVerdict(doors, S, identityOf(doors), LIMITS);

describe("gathering", () => {
	test("takes ages from mtimes, the pid from the heartbeat, the period from the average", () => {
		const doors = world({ heartbeatAge: 444, progressAge: 30, alive: true });
		writeWatcherCycle(doors.files, S, {
			pid: 700,
			epoch: NOW,
			ts: "",
			periodSeconds: 61,
			emaSeconds: 70,
		});
		doors.files.seed(watcherLogPath(S), "x", { mtime: NOW - 3 });
		doors.files.touch(watcherCyclePath(S), { at: NOW - 80 });
		expect(gatherLiveness(doors, S, identityOf(doors))).toEqual({
			heartbeatAge: 444,
			pid: 700,
			pidLooks: "live",
			flockFree: false,
			progressAges: [30, 80, 3, 36_000],
			cycleAge: 80,
			periodSeconds: 70,
		});
	});

	test("before the first heartbeat the pidfile names the watcher", () => {
		const doors = world({ alive: true });
		doors.files.seed(watcherPidPath(S), "700\n");
		expect(gatherLiveness(doors, S, identityOf(doors))).toMatchObject({
			heartbeatAge: null,
			pid: 700,
			pidLooks: "live",
		});
	});

	test("an empty heartbeat has an age and no pid", () => {
		const doors = world({});
		doors.files.seed(watcherHeartbeatPath(S), "", { mtime: NOW - 20 });
		expect(gatherLiveness(doors, S, identityOf(doors))).toMatchObject({
			heartbeatAge: 20,
			pid: null,
			pidLooks: "none",
		});
	});

	for (const [rule, arrange, free] of [
		["nobody holds the flock", () => {}, true],
		[
			"somebody holds it",
			(d: FakeDoors) => d.locks.takenElsewhere(instanceLockPath(S)),
			false,
		],
		[
			"it cannot be opened",
			(d: FakeDoors) => d.locks.cannotOpen(instanceLockPath(S), "EACCES"),
			false,
		],
	] as const)
		test(`a dead pid: ${rule} → free is ${free}`, () => {
			const doors = world({ heartbeatAge: 9 });
			arrange(doors);
			expect(gatherLiveness(doors, S, identityOf(doors)).flockFree).toBe(free);
		});
});

describe("the second look", () => {
	test("a watcher that was stopped and goes on is left alone", async () => {
		const doors = world({
			heartbeatAge: 28_800,
			progressAge: 28_800,
			alive: true,
		});
		const answer = confirm(doors);
		await doors.clock.advance(20_000);
		doors.files.touch(watcherHeartbeatPath(S));
		expect((await doors.clock.run(answer)).moved).toBe(true);
	});

	test("a loop that stands still is confirmed although the ticker beats on beside it", async () => {
		const doors = world({ heartbeatAge: 5, progressAge: 1000, alive: true });
		const answer = confirm(doors);
		await doors.clock.advance(15_000);
		doors.files.touch(watcherHeartbeatPath(S));
		const { moved, verdict } = await doors.clock.run(answer);
		expect([moved, verdict.state]).toEqual([false, "WEDGED"]);
	});

	test("a loop that moves again is left alone", async () => {
		const doors = world({ heartbeatAge: 5, progressAge: 1000, alive: true });
		const answer = confirm(doors);
		await doors.clock.advance(15_000);
		doors.files.touch(watcherProgressPath(S));
		expect((await doors.clock.run(answer)).moved).toBe(true);
	});

	test("one that stands still is confirmed after 25 s", async () => {
		const doors = world({
			heartbeatAge: 28_800,
			progressAge: 28_800,
			alive: true,
		});
		const start = doors.clock.monoMs();
		const { moved, verdict } = await doors.clock.run(confirm(doors));
		expect([moved, verdict.state]).toEqual([false, "WEDGED"]);
		expect(doors.clock.monoMs() - start).toBe(25_000);
	});

	for (const [rule, opts, state] of [
		["a dead pid with a free flock", { heartbeatAge: 9 }, "DOWN"],
		["no heartbeat file", {}, "DOWN"],
		[
			"a healthy watcher",
			{ heartbeatAge: 9, progressAge: 1, alive: true },
			"UP",
		],
		[
			"a stale heartbeat over recent progress",
			{ heartbeatAge: 444, progressAge: 1, alive: true },
			"BUSY",
		],
	] as const)
		test(`${rule} needs none`, async () => {
			const doors = world(opts);
			const start = doors.clock.monoMs();
			const { verdict } = await doors.clock.run(confirm(doors));
			expect(verdict.state).toBe(state);
			expect(doors.clock.monoMs()).toBe(start);
		});

	test("a dead pid under a held flock does: its watcher may live in another pid namespace", async () => {
		const doors = world({ heartbeatAge: 400, progressAge: 400 });
		doors.locks.takenElsewhere(instanceLockPath(S));
		const start = doors.clock.monoMs();
		await doors.clock.run(confirm(doors));
		expect(doors.clock.monoMs() - start).toBe(25_000);
	});
});
