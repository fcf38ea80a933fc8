import { describe, expect, test } from "bun:test";
import {
	decideService,
	isWell,
	type ServiceFacts,
} from "../../monitor/_services/decide.ts";
import { stopGroup } from "../../monitor/_services/group-stop.ts";
import {
	type CheckEnd,
	detailOf,
	judgeCheck,
	runHealthcheck,
} from "../../monitor/_services/healthcheck.ts";
import { endLeftovers } from "../../monitor/_services/leftovers.ts";
import { serviceEnvironment } from "../../monitor/_services/shell.ts";
import { supervisorRecordPath } from "../../monitor/_state/supervisor-record.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { HANG } from "../fakes/proc.ts";

const DOWN: ServiceFacts = {
	healthy: false,
	supervisor: { kind: "absent" },
	lookalikes: 0,
	window: "absent",
	workdir: "there",
	dryRun: false,
};
const STALE = { kind: "stale", reason: "process-gone" } as const;
const ALIVE = { kind: "alive", pid: 5 } as const;

describe("one service", () => {
	for (const [rule, over, outcome] of [
		["healthy, nothing recorded", { healthy: true }, "healthy"],
		["healthy and supervised", { healthy: true, supervisor: ALIVE }, "healthy"],
		[
			"healthy with a dead supervisor is never launched a second time",
			{ healthy: true, supervisor: STALE },
			"healthy-unsupervised",
		],
		[
			"failing under a living supervisor is left to its loop",
			{ supervisor: ALIVE, window: "present" },
			"supervisor-alive",
		],
		[
			"a record that proves nothing, and a process that is it",
			{ supervisor: { ...STALE, reason: "malformed-record" }, lookalikes: 1 },
			"supervisor-alive",
		],
		[
			"a record that proves nothing, and several that could be it",
			{ supervisor: { ...STALE, reason: "malformed-record" }, lookalikes: 2 },
			"supervisor-unknown",
		],
		[
			"a record that cannot be read is no licence to launch",
			{ supervisor: { kind: "unknown", why: "EACCES" } },
			"supervisor-unknown",
		],
		["a window of its name", { window: "present" }, "window-present"],
		["no folder", { workdir: "missing" }, "workdir-missing"],
		["a dry run", { dryRun: true }, "dry-run-would-launch"],
		["a dead pid recorded", { supervisor: STALE }, "launch"],
		["nothing at all", {}, "launch"],
	] as const)
		test(`${rule} → ${outcome}`, () => {
			expect(decideService({ ...DOWN, ...over })).toBe(outcome);
		});

	test("well is what runs or is kept running by somebody", () => {
		expect(
			(
				[
					"healthy",
					"healthy-unsupervised",
					"supervisor-alive",
					"supervisor-unknown",
					"window-present",
					"workdir-missing",
					"dry-run-would-launch",
					"relaunched",
					"launch-failed",
				] as const
			).filter(isWell),
		).toEqual(["healthy", "supervisor-alive", "window-present", "relaunched"]);
	});
});

const END: CheckEnd = {
	result: { kind: "exited", rc: 0, stdout: "", stderr: "" },
	elapsedSeconds: 1,
	boundSeconds: 20,
	cancelled: false,
};
const exited = (rc: number) => ({
	result: { kind: "exited", rc, stdout: "", stderr: "" } as const,
});

describe("a check is judged", () => {
	for (const [rule, over, kind] of [
		["exit 0", {}, "up"],
		["exit 100: alive, with something to say", exited(100), "finding"],
		["exit 1", exited(1), "down"],
		["a missing command", exited(127), "down"],
		["its own early 124", exited(124), "down"],
		["124 at the bound", { ...exited(124), elapsedSeconds: 20 }, "unknown"],
		["137 at the bound", { ...exited(137), elapsedSeconds: 21 }, "unknown"],
		["killed at the bound", { result: { kind: "aborted" } }, "unknown"],
		[
			"broken off by its task, whatever it answered",
			{ ...exited(1), cancelled: true },
			"unknown",
		],
		[
			"no shell to run it",
			{ result: { kind: "not-found", program: "bash" } },
			"unknown",
		],
		[
			"no process to be had",
			{ result: { kind: "failed", reason: "EAGAIN" } },
			"unknown",
		],
	] as const)
		test(`${rule} → ${kind}`, () => {
			expect(judgeCheck({ ...END, ...over }).kind).toBe(kind);
		});

	for (const [stderr, detail] of [
		["\n first \nsecond", "first"],
		["curl: (7)\nConnection REFUSED by x\n", "Connection REFUSED by x"],
		["", ""],
		["x".repeat(400), "x".repeat(300)],
	] as const)
		test(`detail: ${JSON.stringify(stderr.slice(0, 20))}`, () => {
			expect(detailOf(stderr)).toBe(detail);
		});
});

describe("running a check", () => {
	const row = { workdir: "/w", healthcheck: "pgrep -f 'my service'" };
	const home = { root: "/nexus", stateDir: "/s" };
	const world = () => {
		const doors = fakeDoors({
			auto: true,
			proc: { env: { TMUX_PANE: "%1", CLAUDECODE: "1", SECRET: "kept" } },
		});
		doors.files.seedDir("/w");
		return doors;
	};

	test("its text is in no argv, where pgrep -f would find its own shell", async () => {
		const doors = world();
		doors.proc.answer("sh", 0);
		const verdict = await runHealthcheck(doors, home, row, { boundSeconds: 5 });
		expect(verdict).toEqual({ kind: "up" });
		const [ran] = doors.proc.execs;
		expect(ran?.argv.join(" ")).not.toContain("my service");
		expect(ran?.opts.cwd).toBe("/w");
		expect(ran?.opts.env?.NEXUS_SERVICE_CHECK).toBe(row.healthcheck);
		expect(ran?.opts).toMatchObject({ stderrToFile: true, endsWithUs: true });
	});

	test("what it says on stderr becomes the detail", async () => {
		const doors = world();
		const stderr = "hm\nno listener on 80\n";
		doors.proc.answer("sh", { kind: "exited", rc: 1, stdout: "", stderr });
		expect(await runHealthcheck(doors, home, row, { boundSeconds: 5 })).toEqual(
			{ kind: "down", rc: 1, detail: "no listener on 80" },
		);
	});

	test("at the bound it is ended, and nothing follows from it", async () => {
		const doors = world();
		doors.proc.answer("sh", HANG);
		const start = doors.clock.monoMs();
		expect(
			await runHealthcheck(doors, home, row, { boundSeconds: 20 }),
		).toEqual({ kind: "unknown", why: "did not finish within 20s" });
		expect(doors.clock.monoMs() - start).toBe(20_000);
	});

	test("looks for processes by their words are made one at a time: they would find one another", async () => {
		const doors = world();
		let atOnce = 0;
		let most = 0;
		doors.proc.answer("sh", async () => {
			most = Math.max(most, ++atOnce);
			await doors.clock.sleep(20);
			atOnce--;
			return { kind: "exited", rc: 1, stdout: "", stderr: "" };
		});
		const check = (healthcheck: string) =>
			runHealthcheck(doors, home, { ...row, healthcheck }, { boundSeconds: 5 });
		await Promise.all(["pgrep -f a", "pgrep -f aa", "ps ax"].map(check));
		expect(most).toBe(1);
		doors.files.seed("/w/check.sh", "#!/bin/sh\npgrep -f web >/dev/null\n");
		await Promise.all(["bash check.sh", "/w/check.sh a"].map(check));
		expect(most).toBe(1);
		await Promise.all(["curl a", "test -f ps.pid"].map(check));
		expect(most).toBe(2);
	});

	test("one that hangs does not hold up the others' turn for longer than a look takes", async () => {
		const doors = world();
		doors.locks.takenElsewhere("/s/services/.lock");
		doors.proc.answer("sh", 0);
		const check = { ...row, healthcheck: "pgrep -f a" };
		const start = doors.clock.monoMs();
		const verdict = await runHealthcheck(doors, home, check, {
			boundSeconds: 5,
		});
		expect(verdict).toEqual({ kind: "up" });
		expect(doors.clock.monoMs() - start).toBe(1500);
	});

	test("a missing folder is down, and nothing is run", async () => {
		const doors = world();
		doors.files.removeTree("/w");
		const verdict = await runHealthcheck(doors, home, row, { boundSeconds: 5 });
		expect(verdict.kind).toBe("down");
		expect(doors.proc.execs).toEqual([]);
	});

	test("neither the pane nor the session of who asks goes along", () => {
		expect(serviceEnvironment(world().proc.env, home)).toEqual({
			HOME: "/home/op",
			PATH: "/usr/bin:/bin",
			SECRET: "kept",
			NEXUS_ROOT: "/nexus",
			NEXUS_STATE_DIR: "/s",
		});
	});
});

describe("ending a group", () => {
	const world = () => fakeDoors({ auto: true });

	test("TERM to the group is enough for most", async () => {
		const doors = world();
		doors.proc.add({ pid: 500 });
		doors.proc.add({ pid: 501, pgid: 500 });
		expect(await stopGroup(doors, 500)).toEqual({ kind: "stopped" });
		expect(doors.proc.signals).toEqual([{ pid: -500, sig: "SIGTERM" }]);
	});

	test("a child that outlives its leader gets KILL after five seconds: empty counts, not headless", async () => {
		const doors = world();
		doors.proc.add({ pid: 500 });
		doors.proc.add({ pid: 501, pgid: 500, survives: ["SIGTERM"] });
		const start = doors.clock.monoMs();
		expect(await stopGroup(doors, 500)).toEqual({ kind: "stopped" });
		expect(doors.clock.monoMs() - start).toBe(5000);
		expect(doors.proc.signals.at(-1)).toEqual({ pid: -500, sig: "SIGKILL" });
	});

	test("what outlives KILL is named", async () => {
		const doors = world();
		doors.proc.add({ pid: 500, survives: ["SIGTERM", "SIGKILL"] });
		expect(await stopGroup(doors, 500)).toEqual({
			kind: "survivors",
			pids: [500],
		});
	});

	test("a pid that leads no group is signalled alone: its group may be somebody's shell", async () => {
		const doors = world();
		doors.proc.add({ pid: 40 });
		doors.proc.add({ pid: 500, pgid: 40 });
		expect(await stopGroup(doors, 500)).toEqual({ kind: "stopped" });
		expect(doors.proc.signals).toEqual([{ pid: 500, sig: "SIGTERM" }]);
		expect(doors.proc.alive(40)).toBe(true);
	});

	test("nothing is signalled without a process table, for pid 1, or for our own group", async () => {
		const doors = world();
		expect((await stopGroup(doors, 1)).kind).toBe("refused");
		expect((await stopGroup(doors, doors.proc.pid)).kind).toBe("refused");
		doors.proc.tableUnreadable = true;
		expect((await stopGroup(doors, 500)).kind).toBe("refused");
		expect(doors.proc.signals).toEqual([]);
	});

	test("a process table that is lost on the way is no leave to KILL", async () => {
		const doors = world();
		doors.proc.add({ pid: 500, survives: ["SIGTERM"] });
		const ended = stopGroup(doors, 500);
		doors.proc.tableUnreadable = true;
		expect(await ended).toEqual({ kind: "survivors", pids: [500] });
		expect(doors.proc.signals).toEqual([{ pid: -500, sig: "SIGTERM" }]);
	});

	test("nobody there is gone", async () => {
		expect(await stopGroup(world(), 500)).toEqual({ kind: "gone" });
	});
});

describe("what a killed wrapper left running", () => {
	type Child = Parameters<FakeDoors["proc"]["add"]>[0];
	const NS = "pid:[4026531836]";
	async function left(
		over: {
			readonly record?: string;
			readonly children?: readonly Partial<Child>[];
		},
		make: (doors: FakeDoors) => void = () => {},
	) {
		const doors = fakeDoors({ auto: true });
		const record = over.record ?? `500\nns=${NS}\nstart=1\n`;
		doors.files.seed(supervisorRecordPath("/s", "web"), record);
		const environ = { NEXUS_STATE_DIR: "/s" };
		const child = { pid: 501, pgid: 500, sid: 500, environ };
		for (const [n, more] of (over.children ?? [{}]).entries())
			doors.proc.add({ ...child, pid: 501 + n, ...more });
		make(doors);
		const end = await endLeftovers(doors, "/s", "web");
		return { end, signals: doors.proc.signals, said: doors.log.messages() };
	}

	test("is ended by its group, and that is said", async () => {
		const { end, signals, said } = await left({ children: [{}, {}] });
		expect(end).toEqual({ kind: "stopped" });
		expect(signals).toEqual([{ pid: -500, sig: "SIGTERM" }]);
		expect(said.join()).toContain(
			"ending what is left of its process group 500",
		);
	});

	const blind = (doors: FakeDoors) => {
		doors.proc.tableUnreadable = true;
	};
	for (const [when, over, make = () => {}] of [
		["nobody of it lives", { children: [] }],
		["its record is of another namespace", { record: "500\nns=pid:[1]\n" }],
		["its record names no namespace", { record: "500\n" }],
		["its record is damaged", { record: "x\n" }],
		["its wrapper lives", { children: [{}, { pid: 500 }] }],
		["one of it is in another session", { children: [{}, { sid: 7 }] }],
		[
			"one of it is another nexus's",
			{ children: [{}, { environ: { NEXUS_STATE_DIR: "/t" } }] },
		],
		["one of it is a stranger's", { children: [{}, { foreign: true }] }],
		["nobody can look", {}, blind],
	] as const)
		test(`is left alone when ${when}`, async () => {
			const { end, signals } = await left(over, make);
			expect([end, signals]).toEqual([null, []]);
		});
});
