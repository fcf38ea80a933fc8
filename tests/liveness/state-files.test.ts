import { describe, expect, test } from "bun:test";
import {
	parseBootIntent,
	peekBootIntent,
	renderBootIntent,
	writeBootIntent,
} from "../../monitor/_state/boot-intent.ts";
import {
	removeBeacon,
	renderBeacon,
	writeBeacon,
} from "../../monitor/_state/instance-heartbeat.ts";
import { readLastAck, writeLastAck } from "../../monitor/_state/last-ack.ts";
import {
	noSandboxAccepted,
	noSandboxAcceptedPath,
	writeNoSandboxAccepted,
} from "../../monitor/_state/no-sandbox-accepted.ts";
import {
	readRespawnFailures,
	respawnFailuresPath,
	writeRespawnFailures,
} from "../../monitor/_state/respawn-failures.ts";
import {
	appendRespawn,
	readRespawnHistory,
	resetRespawnHistory,
	respawnGuardTrippedPath,
	respawnHistoryPath,
} from "../../monitor/_state/respawn-history.ts";
import { parseReviveHistory } from "../../monitor/_state/revive-history.ts";
import {
	bumpCycle,
	parseWatcherCycle,
	renderWatcherCycle,
	resetCycle,
	type WatcherCycle,
} from "../../monitor/_state/watcher-cycle.ts";
import {
	parseWatcherHeartbeat,
	renderWatcherHeartbeat,
} from "../../monitor/_state/watcher-heartbeat.ts";
import {
	parseWatcherLock,
	releaseWatcherLock,
	renderWatcherLock,
	watcherLockPath,
	writeWatcherLock,
} from "../../monitor/_state/watcher-lock.ts";
import {
	peekWatcherPid,
	releaseWatcherPid,
	watcherPidPath,
	writeWatcherPid,
} from "../../monitor/_state/watcher-pid.ts";
import {
	parseWatcherProgress,
	renderWatcherProgress,
} from "../../monitor/_state/watcher-progress.ts";
import {
	parseWatcherRevived,
	renderWatcherRevived,
} from "../../monitor/_state/watcher-revived.ts";
import {
	appendSpawnEvent,
	watcherSpawnsPath,
} from "../../monitor/_state/watcher-spawns.ts";
import {
	clearStopRequest,
	requestStop,
	stopRequested,
	watcherStopRequestedPath,
} from "../../monitor/_state/watcher-stop-requested.ts";
import { fakeDoors } from "../fakes/doors.ts";

const TS = "2026-05-11T13:42:01-07:00";

describe("the text of a state file is exact and reads back", () => {
	test("watcher-heartbeat", () => {
		const value = { pid: 700, ts: TS, target: "a=b" };
		const text = `pid=700\nts=${TS}\ntarget=a=b\n`;
		expect(renderWatcherHeartbeat(value)).toBe(text);
		expect(parseWatcherHeartbeat(text)).toEqual(value);
	});
	test("watcher-progress", () => {
		const value = { pid: 700, epoch: 9, ts: TS, stage: "loop-tick" };
		const text = `pid=700\nepoch=9\nts=${TS}\nstage=loop-tick\n`;
		expect(renderWatcherProgress(value)).toBe(text);
		expect(parseWatcherProgress(text)).toEqual(value);
	});
	test("watcher-cycle", () => {
		const value = {
			pid: 700,
			epoch: 9,
			ts: TS,
			periodSeconds: 60,
			emaSeconds: 61,
		};
		const text = `pid=700\nepoch=9\nts=${TS}\nperiod_s=60\nema_s=61\n`;
		expect(renderWatcherCycle(value)).toBe(text);
		expect(parseWatcherCycle(text)).toEqual(value);
	});
	test("watcher.lock", () => {
		const text = `pid: 700\nstarted_at: ${TS}\ntarget_window: orchestrator\ntmux_window: headless\ninterval_seconds: 60\n`;
		expect(
			renderWatcherLock({
				pid: 700,
				startedAt: TS,
				targetWindow: "orchestrator",
				tmuxWindow: "headless",
				intervalSeconds: 60,
			}),
		).toBe(text);
		expect(parseWatcherLock(text)).toEqual({
			pid: 700,
			startedAt: TS,
			targetWindow: "orchestrator",
			tmuxWindow: "headless",
		});
	});
	test("nexus-instance.heartbeat", () => {
		expect(
			renderBeacon({
				host: "A",
				bootId: "b",
				pidNs: "pid:[1]",
				pid: 7,
				tmux: "none",
				nexusRoot: "/r",
				nonce: "n",
				epoch: 9,
				ts: TS,
			}),
		).toBe(
			`host: A\nboot_id: b\npid_ns: pid:[1]\npid: 7\ntmux: none\nnexus_root: /r\nnonce: n\nepoch: 9\nts: ${TS}\n`,
		);
	});
	test("watcher-revived, with an unknown downtime", () => {
		const text = `reason=no heartbeat file\ndowntime_estimate_s=?\ndetected_at=${TS}\nrestarted_by=orchestrator-monitor\n`;
		const value = {
			reason: "no heartbeat\nfile",
			downtimeEstimateSeconds: null,
			detectedAt: TS,
			restartedBy: "orchestrator-monitor",
		} as const;
		expect(renderWatcherRevived(value)).toBe(text);
		expect(parseWatcherRevived(text)).toEqual({
			...value,
			reason: "no heartbeat file",
		});
	});
	test("boot-intent", () => {
		const value = { mode: "fresh", ts: 9, source: "entry", pid: 7 } as const;
		const text = "mode=fresh\nts=9\nsource=entry\npid=7\n";
		expect(renderBootIntent(value)).toBe(text);
		expect(parseBootIntent(text)).toEqual(value);
	});
});

describe("a torn or foreign file is damaged, never nothing", () => {
	for (const [text, kind] of [
		["", "damaged"],
		["\n", "damaged"],
		["abc\n", "damaged"],
		["12 34\n", "damaged"],
		["0\n", "damaged"],
		["1\n", "damaged"],
		["700", "ok"],
		["700\n", "ok"],
	] as const)
		test(`watcher.pid ${JSON.stringify(text)} → ${kind}`, () => {
			const doors = fakeDoors();
			doors.files.seed(watcherPidPath("/s"), text);
			expect(peekWatcherPid(doors.files, "/s").kind).toBe(kind);
		});

	test("an absent file is absent, a folder in its place could not be read", () => {
		const doors = fakeDoors();
		expect(peekWatcherPid(doors.files, "/s").kind).toBe("absent");
		doors.files.seedDir(watcherPidPath("/s"));
		expect(peekWatcherPid(doors.files, "/s").kind).toBe("unreadable");
	});

	for (const [name, parsed] of [
		["heartbeat", parseWatcherHeartbeat("ts=x\n")],
		["progress", parseWatcherProgress("pid=7\nepoch=x\n")],
		["cycle", parseWatcherCycle("pid=7\n")],
		["revived", parseWatcherRevived("reason=x\n")],
		["boot intent", parseBootIntent("mode=maybe\nts=9\n")],
	] as const)
		test(`${name} without its key field`, () => {
			expect(parsed).toBeNull();
		});
});

describe("at exit a file goes only while it is still ours", () => {
	test("watcher.pid", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		writeWatcherPid(doors.files, "/s", 701);
		releaseWatcherPid(doors.files, "/s", 700);
		expect(doors.files.text(watcherPidPath("/s"))).toBe("701\n");
		releaseWatcherPid(doors.files, "/s", 701);
		expect(doors.files.has(watcherPidPath("/s"))).toBe(false);
	});
	test("watcher.lock", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		const lock = {
			pid: 701,
			startedAt: TS,
			targetWindow: "o",
			tmuxWindow: "headless",
			intervalSeconds: 60,
		};
		writeWatcherLock(doors.files, "/s", lock);
		releaseWatcherLock(doors.files, "/s", 700);
		expect(doors.files.has(watcherLockPath("/s"))).toBe(true);
		releaseWatcherLock(doors.files, "/s", 701);
		expect(doors.files.has(watcherLockPath("/s"))).toBe(false);
	});
	test("the beacon, by its nonce", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		writeBeacon(doors.files, "/s", {
			host: "A",
			bootId: "b",
			pidNs: "p",
			pid: 7,
			tmux: "none",
			nexusRoot: "/r",
			nonce: "theirs",
			epoch: 9,
			ts: TS,
		});
		removeBeacon(doors.files, "/s", "mine");
		expect(doors.files.paths("/s")).toHaveLength(1);
		removeBeacon(doors.files, "/s", "theirs");
		expect(doors.files.paths("/s")).toEqual([]);
	});
});

describe("the compose cycle's average", () => {
	const at = (epoch: number) => ({ pid: 7, epoch, ts: TS });
	const after = (...epochs: readonly number[]): WatcherCycle =>
		epochs.reduce<WatcherCycle | null>(
			(prev, epoch) => bumpCycle(prev, at(epoch)),
			null,
		) ?? expect.unreachable();

	for (const [epochs, period, ema] of [
		[[1000], 0, 0],
		[[1000, 1060], 60, 60],
		[[1000, 1060, 1160], 100, 70],
		[[1000, 1060, 1161], 101, 70],
		// The clock stepped back: nothing is learned, nothing forgotten.
		[[1000, 1060, 500], 0, 60],
		[[1000, 1000], 0, 0],
	] as const)
		test(`cycle ends at ${epochs.join(", ")} → period ${period}, average ${ema}`, () => {
			const cycle = after(...epochs);
			expect([cycle.periodSeconds, cycle.emaSeconds]).toEqual([period, ema]);
		});

	test("a restart starts the clock anew and keeps the average", () => {
		expect(resetCycle(after(1000, 1060), at(5000))).toEqual({
			...at(5000),
			periodSeconds: 0,
			emaSeconds: 60,
		});
		expect(resetCycle(null, at(5000)).emaSeconds).toBe(0);
	});
});

describe("histories", () => {
	test("a respawn's row survives a torn tail, and a reset empties the file in place", () => {
		const doors = fakeDoors({ now: 2000 });
		doors.files.seed(respawnHistoryPath("/s"), "1000 absent\n1990 abs");
		appendRespawn(doors.files, "/s", 2000, "two words");
		expect(doors.files.text(respawnHistoryPath("/s"))).toBe(
			"1000 absent\n1990 abs\n2000 two-words\n",
		);
		expect(readRespawnHistory(doors.files, "/s")).toEqual([1000, 1990, 2000]);
		doors.files.seed(respawnGuardTrippedPath("/s"), TS);
		resetRespawnHistory(doors.files, "/s");
		expect(doors.files.text(respawnHistoryPath("/s"))).toBe("");
		expect(doors.files.has(respawnGuardTrippedPath("/s"))).toBe(false);
	});
	test("a history that cannot be read is not an empty one", () => {
		const doors = fakeDoors();
		doors.files.seedDir(respawnHistoryPath("/s"));
		expect(readRespawnHistory(doors.files, "/s")).toBeNull();
	});
	test("lines that are no number cost only themselves", () => {
		expect(parseReviveHistory("10\nx\n-3\n\n20")).toEqual([10, 20]);
	});
	test("respawn failures are two lines, and torn text counts none", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		writeRespawnFailures(doors.files, "/s", 3, 99);
		expect(doors.files.text(respawnFailuresPath("/s"))).toBe(
			"count=3\nlast_failure_ts=99\n",
		);
		expect(readRespawnFailures(doors.files, "/s")).toEqual({
			count: 3,
			lastFailureAt: 99,
		});
		doors.files.seed(respawnFailuresPath("/s"), "cou");
		expect(readRespawnFailures(doors.files, "/s").count).toBe(0);
	});
});

describe("the launcher's audit log", () => {
	test("is one line an event, whatever the caller is called", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		appendSpawnEvent(doors, "/s", {
			pid: 9,
			caller: `sh -c 'a\nb' ${"x".repeat(200)}`,
			event: "replace-reaped pgid=7",
		});
		expect(doors.files.text(watcherSpawnsPath("/s"))).toBe(
			`${doors.clock.iso()} launcher[9] caller=[sh -c 'a b' ${"x".repeat(108)}] replace-reaped pgid=7\n`,
		);
	});
	test("turns over above 1 MiB", () => {
		const doors = fakeDoors();
		const path = watcherSpawnsPath("/s");
		const event = { pid: 9, caller: "me", event: "spawned" };
		doors.files.seed(path, `${"x".repeat(1024 * 1024 - 1)}\n`);
		appendSpawnEvent(doors, "/s", event);
		expect(doors.files.has(`${path}.1`)).toBe(false);
		appendSpawnEvent(doors, "/s", event);
		expect(doors.files.text(path)).toEndWith("caller=[me] spawned\n");
		expect(doors.files.text(path).split("\n")).toHaveLength(2);
		expect(doors.files.has(`${path}.1`)).toBe(true);
	});
});

describe("files whose presence or time is the message", () => {
	test("a stop request is there or not, or could not be looked at", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		expect(stopRequested(doors.files, "/s")).toBe("no");
		requestStop(doors.files, "/s");
		expect(stopRequested(doors.files, "/s")).toBe("yes");
		clearStopRequest(doors.files, "/s");
		expect(stopRequested(doors.files, "/s")).toBe("no");
		doors.files.faults.fail({
			path: watcherStopRequestedPath("/s"),
			code: "EIO",
		});
		expect(stopRequested(doors.files, "/s")).toBe("unknown");
	});
	test("the last ack carries its time, and is nothing when it cannot be read", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		expect(readLastAck(doors.files, "/s")).toBeNull();
		const upTo = doors.clock.nowMs() - 1500;
		writeLastAck(doors, "/s", upTo);
		expect(readLastAck(doors.files, "/s")).toEqual({
			ts: doors.clock.iso(Math.floor(upTo / 1000)),
			mtimeMs: upTo,
		});
	});
	test("the accepted sandbox risk names who, where and by which program", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		expect(noSandboxAccepted(doors.files, "/s")).toBe(false);
		writeNoSandboxAccepted(doors.files, "/s", {
			acceptedAt: TS,
			user: "op",
			host: "A",
			context: "launcher",
		});
		expect(noSandboxAccepted(doors.files, "/s")).toBe(true);
		expect(doors.files.text(noSandboxAcceptedPath("/s"))).toBe(
			`accepted_at=${TS}\nuser=op\nhost=A\ncontext=launcher\n`,
		);
	});
	test("a boot intent is peeked at without being consumed", () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		writeBootIntent(doors.files, "/s", {
			mode: "continue",
			ts: 9,
			source: "entry",
			pid: 7,
		});
		expect(peekBootIntent(doors.files, "/s")).toMatchObject({
			value: { mode: "continue" },
		});
	});
});
