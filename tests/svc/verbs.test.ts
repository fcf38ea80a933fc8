import { describe, expect, test } from "bun:test";
import { instanceLockPath } from "../../monitor/_state/instance-lock.ts";
import type { ServiceRow } from "../../monitor/_state/services-registry.ts";
import { watcherLogPath } from "../../monitor/_state/watcher-log.ts";
import {
	peekWatcherPid,
	watcherPidPath,
} from "../../monitor/_state/watcher-pid.ts";
import {
	requestStop,
	stopRequested,
} from "../../monitor/_state/watcher-stop-requested.ts";
import { judgeRestart } from "../../monitor/_svc/restart.ts";
import { subjectOf } from "../../monitor/_svc/subject.ts";
import type { SvcContext } from "../../monitor/_svc/verb.ts";
import { SVC_VERBS, svcUsage } from "../../monitor/svc-verbs.ts";
import {
	MAIN,
	STATE,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

interface Ran {
	readonly rc: number;
	readonly out: string;
	readonly said: string;
	/** Programs that were handed our terminal. */
	readonly handed: readonly string[];
}

async function svc(
	world: WatcherWorld,
	verb: string,
	name?: string,
	over: Partial<Pick<SvcContext, "json" | "withoutScheduler">> & {
		readonly problems?: readonly string[];
	} = {},
): Promise<Ran> {
	const { doors, settings } = world;
	doors.log.clear();
	const handed = doors.proc.execs.length;
	const row = SVC_VERBS.find((v) => v.name === verb);
	if (row === undefined) throw new Error(`no verb ${verb}`);
	let out = "";
	const { run } = await row.load();
	const rc = await run(name, {
		doors,
		settings: { ...settings, problems: over.problems ?? [] },
		json: over.json ?? false,
		colour: false,
		recover: [],
		withoutScheduler: over.withoutScheduler ?? false,
		print: (line) => {
			out += `${line}\n`;
		},
	});
	return {
		rc,
		out,
		said: doors.log.messages().join("\n"),
		handed: doors.proc.execs.slice(handed).map((e) => e.argv.join(" ")),
	};
}

/** The launcher as a stand-in: `exit`, after starting a watcher when it is 0. */
function launcherAnswers(world: WatcherWorld, exit: number): void {
	world.doors.proc.answer(/launcher\.ts/, () => {
		if (exit === 0) world.watcher({ pid: 900 });
		return { kind: "exited", rc: exit, stdout: "", stderr: "" };
	});
}

describe("status", () => {
	test("shows the table once; a dead watcher is 2 only when it is asked for by name", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		const all = await svc(world, "status");
		expect(all.rc).toBe(0);
		expect(all.out).toContain("watcher pid=700 DEAD");
		expect(all.out).toContain(
			"no registered services (expected at /root/monitor/services.registry)",
		);
		expect((await svc(world, "status", "watcher")).rc).toBe(2);
	});

	test("takes the state dir's nearest existing folder for the disk", async () => {
		const world = await watcherWorld();
		world.doors.files.removeTree("/root");
		expect((await svc(world, "status")).rc).toBe(0);
		world.doors.files.faults.readOnly = true;
		expect((await svc(world, "status")).rc).toBe(1);
	});

	test("the target window's row by name: 0 while it is there", async () => {
		const world = await watcherWorld();
		expect((await svc(world, "status", "orchestrator")).rc).toBe(1);
		world.doors.tmux.window("orchestrator");
		const there = await svc(world, "status", "orchestrator");
		expect(there.rc).toBe(0);
		expect(there.out).not.toContain("watcher-sup");
	});

	test("an unknown name → 1, with the registry and the known names", async () => {
		const done = await svc(await watcherWorld(), "status", "blog");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("unknown service 'blog'");
	});

	test("an unusable configuration is the first line and changes no exit code", async () => {
		const world = await watcherWorld();
		world.watcher();
		const done = await svc(world, "status", undefined, {
			problems: ["config: nexus.yml:3:1: no"],
		});
		expect(done.rc).toBe(0);
		expect(done.out).toStartWith(
			"config: nexus.yml:3:1: no\nnexus service cockpit",
		);
	});

	test("--json is one object with the same rows, verdict and exit code", async () => {
		const world = await watcherWorld();
		world.watcher();
		const { out, rc } = await svc(world, "status", "watcher", { json: true });
		const parsed = JSON.parse(out);
		expect(parsed).toMatchObject({
			exit: rc,
			state_dir: STATE,
			watcher: { state: "UP", bucket: 0, pid: 700, groups: [700] },
		});
		expect(parsed.rows.map((r: { name: string }) => r.name)).toEqual([
			"fs",
			"watcher",
			"watcher-sup",
		]);
	});
});

describe("start", () => {
	test("takes back the stop, then runs the launcher with --ensure and the target", async () => {
		const world = await watcherWorld();
		requestStop(world.doors.files, STATE);
		launcherAnswers(world, 0);
		const done = await svc(world, "start", "watcher");
		expect(done).toMatchObject({ rc: 0, said: "watcher: relaunched" });
		expect(done.handed[0]).toEndWith(
			"/launcher.ts --ensure --target orchestrator",
		);
		expect(stopRequested(world.doors.files, STATE)).toBe("no");
	});

	test("one that runs is healthy", async () => {
		const world = await watcherWorld();
		world.watcher();
		world.doors.proc.answer(/launcher\.ts/, 0);
		expect(await svc(world, "start", "watcher")).toMatchObject({
			rc: 0,
			said: "watcher: healthy",
		});
	});

	for (const [launcher, rc] of [
		[2, 2],
		[3, 1],
		[4, 1],
		[5, 1],
	] as const)
		test(`launcher ${launcher} → ${rc}`, async () => {
			const world = await watcherWorld();
			launcherAnswers(world, launcher);
			expect((await svc(world, "start", "watcher")).rc).toBe(rc);
		});
});

describe("restart", () => {
	test("replaces, whatever was there, and takes back a stop", async () => {
		const world = await watcherWorld();
		requestStop(world.doors.files, STATE);
		launcherAnswers(world, 0);
		const done = await svc(world, "restart", "watcher");
		expect(done).toMatchObject({ rc: 0, said: "watcher: restart OK" });
		expect(done.handed[0]).toEndWith(
			"/launcher.ts --replace --target orchestrator",
		);
		expect(stopRequested(world.doors.files, STATE)).toBe("no");
	});

	test("the launcher's 2 is ours: the running one was left alone", async () => {
		const world = await watcherWorld();
		world.watcher();
		launcherAnswers(world, 2);
		expect((await svc(world, "restart", "watcher")).rc).toBe(2);
	});

	const live = { check: "live", groups: [700], pid: 700 } as const;
	for (const [rule, launcherExit, seen, bucket, exit] of [
		["one live watcher", 0, live, 0, 0],
		[
			"a slow start, its early heartbeat fresh",
			3,
			{ ...live, check: null, pid: null },
			0,
			0,
		],
		["alive and not moving yet", 0, { ...live, check: null }, 4, 0],
		["alive by its pidfile, the heartbeat still the old one's", 0, live, 2, 0],
		["no process table", 0, { ...live, groups: null }, 0, 0],
		["two groups", 0, { ...live, groups: [700, 800] }, 0, 6],
		["nobody", 3, { check: null, groups: [], pid: null }, 2, 1],
	] as const)
		test(`${rule} → ${exit}`, () => {
			expect(judgeRestart(launcherExit, seen, bucket).exit).toBe(exit);
		});

	test("a launcher that refused is not called a restart", () => {
		expect(judgeRestart(5, live, 0)).toEqual({
			exit: 0,
			line: "watcher: NOT replaced (launcher exit 5); pid 700 goes on",
		});
	});
});

for (const verb of ["start", "restart"])
	test(`${verb} with an unusable configuration → 2, stop request and watcher untouched`, async () => {
		const world = await watcherWorld();
		world.watcher();
		requestStop(world.doors.files, STATE);
		const done = await svc(world, verb, "watcher", {
			problems: ["config: nexus.yml:3:1: no"],
		});
		expect(done).toMatchObject({ rc: 2, handed: [] });
		expect(done.said).toEndWith(
			"config invalid — the running watcher was left alone",
		);
		expect(stopRequested(world.doors.files, STATE)).toBe("yes");
	});

describe("stop", () => {
	test("records the wish first, then ends the group and its pidfile", async () => {
		const world = await watcherWorld();
		world.watcher();
		let wished = "";
		world.doors.proc.signal = ((real) => (pid, sig) => {
			wished = stopRequested(world.doors.files, STATE);
			return real(pid, sig);
		})(world.doors.proc.signal);
		expect(await svc(world, "stop", "watcher")).toMatchObject({
			rc: 0,
			said: "watcher: stopped",
		});
		expect(wished).toBe("yes");
		expect(world.doors.proc.signals).toEqual([{ pid: -700, sig: "SIGTERM" }]);
		expect(world.doors.files.has(watcherPidPath(STATE))).toBe(false);
	});

	test("KILL follows after 5 s; who outlives it is told → 1", async () => {
		const world = await watcherWorld();
		world.doors.proc.add({
			pid: 700,
			argv: ["bun", MAIN],
			environ: { NEXUS_STATE_DIR: STATE },
			survives: ["SIGTERM", "SIGKILL"],
		});
		const start = world.doors.clock.monoMs();
		const done = await svc(world, "stop", "watcher");
		expect(world.doors.clock.monoMs() - start).toBe(10_000);
		expect(done.rc).toBe(1);
		expect(done.said).toContain("outlived SIGKILL (pids 700)");
	});

	test("a watcher without a pidfile is found and ended, too", async () => {
		const world = await watcherWorld();
		world.watcher();
		world.doors.files.remove(watcherPidPath(STATE));
		expect((await svc(world, "stop", "watcher")).said).toBe("watcher: stopped");
	});

	test("nothing there → 0; a pidfile of a stranger goes, the stranger stays", async () => {
		const world = await watcherWorld();
		world.doors.proc.add({ pid: 700, argv: ["psql"] });
		world.doors.files.seed(watcherPidPath(STATE), "700\n");
		expect(await svc(world, "stop", "watcher")).toMatchObject({
			rc: 0,
			said: "watcher: nothing to stop",
		});
		expect(world.doors.proc.signals).toEqual([]);
		expect(peekWatcherPid(world.doors.files, STATE).kind).toBe("absent");
	});

	test("one that runs in another sandbox is not stopped from here, and that is said", async () => {
		const world = await watcherWorld();
		world.watcher({ alive: false });
		world.doors.locks.takenElsewhere(instanceLockPath(STATE));
		const done = await svc(world, "stop", "watcher");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("NOT stopped");
		expect(peekWatcherPid(world.doors.files, STATE).kind).toBe("ok");
	});

	test("a pid that cannot be looked into is not signalled → 1", async () => {
		const world = await watcherWorld();
		world.doors.proc.add({ pid: 700, foreign: true });
		world.doors.files.seed(watcherPidPath(STATE), "700\n");
		expect((await svc(world, "stop", "watcher")).rc).toBe(1);
		expect(world.doors.proc.signals).toEqual([]);
	});
});

describe("logs", () => {
	const telemetry = `${STATE}/watcher-scheduler.jsonl`;

	test("follows log and telemetry together, those that exist", async () => {
		const world = await watcherWorld();
		world.doors.proc.answer("tail", 0);
		world.doors.files.seed(telemetry, "{}\n");
		expect((await svc(world, "logs", "watcher")).handed).toEqual([
			`tail -n 200 -F ${telemetry}`,
		]);
		world.doors.files.seed(watcherLogPath(STATE), "x\n");
		expect((await svc(world, "logs", "watcher")).handed).toEqual([
			`tail -n 200 -F ${watcherLogPath(STATE)} ${telemetry}`,
		]);
		const alone = { withoutScheduler: true };
		expect((await svc(world, "logs", "watcher", alone)).handed).toEqual([
			`tail -n 200 -F ${watcherLogPath(STATE)}`,
		]);
	});

	test("telemetry elsewhere by MONITOR_SCHEDULER_LOG", async () => {
		const world = await watcherWorld({
			env: { MONITOR_SCHEDULER_LOG: "/var/t.jsonl" },
		});
		world.doors.proc.answer("tail", 0);
		world.doors.files.seed("/var/t.jsonl", "{}\n");
		expect((await svc(world, "logs", "watcher")).handed).toEqual([
			"tail -n 200 -F /var/t.jsonl",
		]);
	});

	test("neither → 1", async () => {
		const done = await svc(await watcherWorld(), "logs", "watcher");
		expect(done).toMatchObject({ rc: 1, handed: [] });
		expect(done.said).toStartWith("logfile not found: ");
	});
});

describe("the name after a verb", () => {
	const blog: ServiceRow = {
		name: "blog",
		workdir: "/b",
		launch: "l",
		healthcheck: "h",
		logfile: "/b/serve.log",
		policy: "auto-restart",
	};
	const facts = {
		verb: "stop",
		target: "lead",
		registry: "/reg",
		rows: { kind: "rows", rows: [blog], warnings: [] },
		unlisted: [{ name: "old", pid: 77 }],
	} as const;
	for (const [name, verb, kind, says] of [
		["watcher", "stop", "watcher", ""],
		["orchestrator", "stop", "watcher-managed", "watcher-managed"],
		["lead", "stop", "watcher-managed", "watcher-managed"],
		["lead", "logs", "watcher-managed", "tmux window 'lead'"],
		["", "stop", "missing", "usage"],
		[undefined, "stop", "missing", "usage"],
		["blog", "stop", "service", ""],
		["old", "stop", "unlisted", ""],
		[
			"nope",
			"stop",
			"unknown",
			"unknown service 'nope' (registry: /reg; known: watcher, blog)",
		],
	] as const)
		test(`${verb} ${name ?? "(none)"} → ${kind}`, () => {
			const subject = subjectOf({ ...facts, verb, name });
			expect(subject.kind).toBe(kind);
			if ("line" in subject) expect(subject.line).toContain(says);
		});

	test("with an unreadable registry nobody can say that there is no such service", () => {
		const rows = { kind: "unreadable", error: "EACCES" } as const;
		const subject = subjectOf({ ...facts, rows, name: "nope" });
		expect(subject).toMatchObject({ kind: "unknown", exit: 79 });
		expect("line" in subject && subject.line).toContain(
			"registry not readable: /reg (EACCES)",
		);
	});
});

test.each([
	["down", "stop"],
	["up", "start"],
	["list", "status"],
] as const)(
	"%s is for all: with a name nothing is done, and the verb for one is named",
	async (verb, forOne) => {
		const world = await watcherWorld();
		world.watcher();
		const { rc, out, said, handed } = await svc(world, verb, "blog");
		expect({ rc, out, handed }).toEqual({ rc: 1, out: "", handed: [] });
		expect(said).toBe(
			`${verb} takes no name; one service: monitor/svc.ts ${forOne} blog`,
		);
		expect(stopRequested(world.doors.files, STATE)).toBe("no");
		expect(world.doors.proc.alive(700)).toBe(true);
	},
);

test("the usage lists every verb of the table", () => {
	for (const { name } of SVC_VERBS)
		expect(svcUsage()).toContain(`\n  ${name} `);
});
