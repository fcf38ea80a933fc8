import { describe, expect, test } from "bun:test";
import {
	readRestartMarker,
	restartMarkerPath,
} from "../../monitor/_state/service-marks.ts";
import { readStopMark } from "../../monitor/_state/service-stop.ts";
import { supervisorRecordPath } from "../../monitor/_state/supervisor-record.ts";
import { stopRequested } from "../../monitor/_state/watcher-stop-requested.ts";
import { registryOf } from "../../monitor/_svc/cockpit/facts.ts";
import { resolveSubject } from "../../monitor/_svc/resolve-subject.ts";
import { SVC_VERBS } from "../../monitor/svc-verbs.ts";
import {
	lockedElsewhere,
	REGISTRY,
	type ServiceWorld,
	serviceWorld,
} from "../support/service-world.ts";
import { STATE } from "../support/watcher-world.ts";

/** A verb on a name, as the face runs it. */
async function svc(world: ServiceWorld, verb: string, name?: string) {
	const { doors, settings, context } = world;
	doors.log.clear();
	const row = SVC_VERBS.find((v) => v.name === verb);
	if (row === undefined) throw new Error(`no verb ${verb}`);
	const subject = resolveSubject(doors, settings, verb, name);
	const run = async () => {
		if (row.kind === "whole") return (await row.load()).run(name, context);
		if (subject.kind === "service")
			return (await row.loadService()).run(subject.row, context);
		if (subject.kind === "unlisted" && row.loadUnlisted)
			return (await row.loadUnlisted()).run(subject, context);
		throw new Error(subject.kind);
	};
	return { rc: await run(), said: doors.log.messages().join("\n") };
}
const recordOf = (world: ServiceWorld, name: string) =>
	world.doors.files.read(supervisorRecordPath(STATE, name)).kind;
const seedRecord = (world: ServiceWorld, name: string, text: string) =>
	world.doors.files.seed(supervisorRecordPath(STATE, name), text);
const DEAD = "499\nns=pid:[4026531836]\nstart=4990\n";

describe("start", () => {
	test("launches what is down, once", async () => {
		const world = await serviceWorld(["web"]);
		expect(await svc(world, "start", "web")).toEqual({
			rc: 0,
			said: "web: relaunched (pid 7001)",
		});
		expect(await svc(world, "start", "web")).toEqual({
			rc: 0,
			said: "web: healthy",
		});
		expect(world.launches()).toEqual(["web"]);
		const credit = readRestartMarker(world.doors.files, STATE, "web");
		expect(credit?.actor).toBe("operator");
	});

	test("a dead pid's record is kept aside, and a new one stands in its place", async () => {
		const world = await serviceWorld(["web"]);
		seedRecord(world, "web", DEAD);
		expect((await svc(world, "start", "web")).rc).toBe(0);
		const { files } = world.doors;
		const path = supervisorRecordPath(STATE, "web");
		expect(files.read(`${path}.superseded`)).toMatchObject({ text: DEAD });
		expect(files.read(path)).toMatchObject({
			text: expect.stringContaining("7001\n"),
		});
	});

	test("records which script it launched, for the check of its version", async () => {
		const world = await serviceWorld(["web"]);
		world.doors.files.seed(
			"/srv/web/web-supervised",
			"while :; do serve; done",
		);
		await svc(world, "start", "web");
		expect(
			world.doors.files.text(`${STATE}/version/service-web.running`),
		).toMatch(/^hash=[0-9a-f]{64}\nrecorded=\d+\n$/);
	});

	test("what its wrapper left running and nothing ends keeps a second one down", async () => {
		const world = await serviceWorld(["web"]);
		seedRecord(world, "web", DEAD);
		world.doors.proc.add({
			pid: 498,
			pgid: 499,
			sid: 499,
			environ: { NEXUS_STATE_DIR: STATE },
			survives: ["SIGTERM", "SIGKILL"],
		});
		const done = await svc(world, "start", "web");
		expect([done.rc, world.launches()]).toEqual([1, []]);
		expect(done.said).toContain(
			"what its wrapper left running cannot be ended",
		);
		const stopped = await svc(world, "stop", "web");
		expect(stopped.rc).toBe(1);
		expect(stopped.said).toContain("pids 498 outlived SIGKILL");
		expect(recordOf(world, "web")).toBe("ok");
	});

	test("a record without a pid, and two processes that could be it: no third is started", async () => {
		const world = await serviceWorld(["web"]);
		for (const pid of [500, 501]) world.supervise("web", pid);
		seedRecord(world, "web", "garbage\n");
		expect(await svc(world, "start", "web")).toEqual({
			rc: 1,
			said: "web: supervisor-unknown (its record is damaged, and 2 processes look like its supervisor)",
		});
		expect(world.launches()).toEqual([]);
	});

	test("a service that serves without a supervisor is not doubled; restart is named", async () => {
		const world = await serviceWorld(["web"]);
		world.health.set("web ok", 0);
		seedRecord(world, "web", DEAD);
		const done = await svc(world, "start", "web");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("web: healthy-unsupervised");
		expect(done.said).toContain("monitor/svc.ts restart web");
		expect(world.launches()).toEqual([]);
	});

	test("one that hangs under a living supervisor is left to it", async () => {
		const world = await serviceWorld(["web"]);
		world.supervise("web", 500);
		world.health.set("web ok", "hang");
		expect(await svc(world, "start", "web")).toEqual({
			rc: 0,
			said: "web: supervisor-alive",
		});
	});

	test("a record without a pid, and a process that is it: nothing is launched", async () => {
		const world = await serviceWorld(["web"]);
		world.supervise("web", 500);
		seedRecord(world, "web", "garbage\n");
		expect((await svc(world, "start", "web")).said).toBe(
			"web: supervisor-alive",
		);
	});

	for (const [rule, onLaunch, says] of [
		["no record within its time", () => {}, "no record after 10s"],
		[
			"a crash at once",
			(w: ServiceWorld) => {
				w.supervise("web", 7001);
				w.doors.proc.end(7001);
			},
			"it ended at once; its last words are in /srv/web/serve.log",
		],
	] as const)
		test(`${rule} is a failure, said aloud`, async () => {
			const world = await serviceWorld(["web"]);
			world.onLaunch = () => onLaunch(world);
			const done = await svc(world, "start", "web");
			expect(done.rc).toBe(1);
			expect(done.said).toContain("web: launch-failed");
			expect(done.said).toContain(says);
		});

	for (const [exit, says] of [
		[70, "its record cannot be written"],
		[71, "/srv/web cannot be entered"],
		[127, "it ended at once (exit 127)"],
	] as const)
		test(`a first process that ends with ${exit} is not waited for`, async () => {
			const world = await serviceWorld(["web"]);
			const { proc, clock } = world.doors;
			world.onLaunch = () => proc.end(proc.spawned.at(-1)!.pid, exit);
			const start = clock.monoMs();
			const done = await svc(world, "start", "web");
			expect(done.rc).toBe(1);
			expect(done.said).toContain(`web: launch-failed (${says}`);
			expect(clock.monoMs() - start).toBeLessThan(500);
		});

	test("a log that cannot be written keeps no service down", async () => {
		const world = await serviceWorld(["web"]);
		const { proc } = world.doors;
		const spawn = proc.spawnDetached;
		proc.spawnDetached = (s) =>
			s.log === null ? spawn(s) : { kind: "failed", reason: "ENOSPC" };
		const done = await svc(world, "start", "web");
		expect(done.rc).toBe(0);
		expect(done.said).toContain(
			"web: its log /srv/web/serve.log cannot be written (ENOSPC); what it says is lost",
		);
		expect(proc.spawned.at(-1)?.log).toBeNull();
	});

	test("/dev/null for a log is what it says, and no fault", async () => {
		const world = await serviceWorld([]);
		world.doors.files.seedDir("/srv/web");
		const row = "web\t/srv/web\t./web-supervised\tweb ok\t/dev/null\n";
		world.doors.files.seed(REGISTRY, row);
		expect((await svc(world, "start", "web")).said).toBe(
			"web: relaunched (pid 7001)",
		);
		expect(world.doors.proc.spawned.at(-1)?.log).toBeNull();
	});

	test("no folder: 1, and nothing is launched", async () => {
		const world = await serviceWorld(["web"]);
		world.doors.files.removeTree("/srv/web");
		expect(await svc(world, "start", "web")).toEqual({
			rc: 1,
			said: "web: workdir-missing",
		});
	});

	test("a window of its name hosts it already", async () => {
		const world = await serviceWorld(["web"]);
		const { model } = world.doors.tmux;
		model.window(model.session("main"), "web");
		expect(await svc(world, "start", "web")).toEqual({
			rc: 0,
			said: "web: window-present",
		});
	});

	test("two at once: the second does nothing", async () => {
		const world = await serviceWorld(["web"]);
		lockedElsewhere(world, "web");
		const done = await svc(world, "start", "web");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("somebody else is at work on it");
		expect(world.launches()).toEqual([]);
	});
});

describe("stop", () => {
	test("ends the group, forgets the record, and is remembered", async () => {
		const world = await serviceWorld(["web"]);
		world.supervise("web", 500);
		world.doors.proc.add({ pid: 501, pgid: 500 });
		expect(await svc(world, "stop", "web")).toEqual({
			rc: 0,
			said: "web: stopped",
		});
		expect(world.doors.proc.alive(501)).toBe(false);
		expect(recordOf(world, "web")).toBe("absent");
		expect(readStopMark(world.doors.files, STATE, "web")?.scope).toBe(
			"service",
		);
		await svc(world, "start", "web");
		expect(readStopMark(world.doors.files, STATE, "web")).toBeNull();
	});

	test("a child that left the group and still serves is warned of", async () => {
		const world = await serviceWorld(["web"]);
		world.supervise("web", 500);
		world.health.set("web ok", 0);
		const done = await svc(world, "stop", "web");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("WARNING");
	});

	test("nothing that runs: a stale record goes, 0", async () => {
		const world = await serviceWorld(["web"]);
		seedRecord(world, "web", DEAD);
		expect(await svc(world, "stop", "web")).toEqual({
			rc: 0,
			said: "web: nothing to stop",
		});
		expect(recordOf(world, "web")).toBe("absent");
		expect(world.doors.proc.signals).toEqual([]);
	});

	test("unsupervised and serving: refused, the record is kept, restart is named, no stop is remembered", async () => {
		const world = await serviceWorld(["web"]);
		seedRecord(world, "web", DEAD);
		world.health.set("web ok", 0);
		const done = await svc(world, "stop", "web");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("runs unsupervised");
		expect(done.said).toContain("monitor/svc.ts restart web");
		expect(recordOf(world, "web")).toBe("ok");
		expect(readStopMark(world.doors.files, STATE, "web")).toBeNull();
	});

	test("one that was taken out of the registry while it ran can still be ended", async () => {
		const world = await serviceWorld(["web", "old"]);
		world.supervise("old", 500);
		world.doors.files.seed(REGISTRY, "web\t/srv/web\t./web\tweb ok\n");
		const done = await svc(world, "stop", "old");
		expect(done).toMatchObject({ rc: 0 });
		expect(world.doors.proc.alive(500)).toBe(false);
		expect(recordOf(world, "old")).toBe("absent");
	});
});

describe("restart", () => {
	test("ends and starts a wedged one, and says who asked, before", async () => {
		const world = await serviceWorld(["web"], {
			env: { SVC_RESTART_ACTOR: "watcher" },
		});
		world.supervise("web", 500);
		world.health.set("web ok", "hang");
		const start = world.doors.clock.monoMs();
		const done = await svc(world, "restart", "web");
		expect(done).toEqual({ rc: 0, said: "web: relaunched (pid 7001)" });
		expect(world.doors.proc.alive(500)).toBe(false);
		// The check is waited for once.
		expect(world.doors.clock.monoMs() - start).toBeLessThan(70_000);
		const marker = world.doors.files.read(restartMarkerPath(STATE, "web"));
		expect(marker).toMatchObject({
			text: expect.stringMatching(/^actor=watcher\nat=\d+\niso=/),
		});
	});

	test("one that serves without a supervisor is found, ended and taken over", async () => {
		const world = await serviceWorld(["web"]);
		world.supervise("web", 500);
		seedRecord(world, "web", DEAD);
		world.health.set("web ok", 0);
		const signal = world.doors.proc.signal;
		world.doors.proc.signal = (pid, sig) => {
			world.health.set("web ok", 1);
			return signal(pid, sig);
		};
		const done = await svc(world, "restart", "web");
		expect(done).toEqual({ rc: 0, said: "web: reconciled (pid 7001)" });
		expect(world.doors.proc.alive(500)).toBe(false);
	});

	for (const [rule, others, says] of [
		["nobody can be it", [], "no process of ours"],
		["several could be it", [500, 600], "several processes (pids 500, 600)"],
	] as const)
		test(`${rule}: CANNOT RECONCILE, nothing is signalled, the record is kept`, async () => {
			const world = await serviceWorld(["web"]);
			for (const pid of others) world.supervise("web", pid);
			seedRecord(world, "web", DEAD);
			world.health.set("web ok", 0);
			const done = await svc(world, "restart", "web");
			expect(done.rc).toBe(1);
			expect(done.said).toContain("CANNOT RECONCILE");
			expect(done.said).toContain(says.replace(" (", " could be it ("));
			expect(world.doors.proc.signals).toEqual([]);
			expect(recordOf(world, "web")).toBe("ok");
		});

	test("two services with one port: the second is not started, and says that someone else answers", async () => {
		const world = await serviceWorld(["web", "twin"]);
		world.supervise("web", 400);
		world.supervise("twin", 500);
		world.health.set("twin ok", 0);
		const done = await svc(world, "restart", "twin");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("someone else serves that endpoint");
		expect(world.doors.proc.alive(400)).toBe(true);
		expect(world.launches()).toEqual([]);
	});

	test("what was stopped on purpose only a person starts: 75 for everybody else", async () => {
		const world = await serviceWorld(["web"], {
			env: { SVC_RESTART_ACTOR: "watcher" },
		});
		await svc(world, "stop", "web");
		expect((await svc(world, "restart", "web")).rc).toBe(75);
		expect(world.launches()).toEqual([]);
		expect(readStopMark(world.doors.files, STATE, "web")).not.toBeNull();
	});
});

describe("logs", () => {
	test("follow the row's log; without one, 1", async () => {
		const world = await serviceWorld(["web"]);
		expect(await svc(world, "logs", "web")).toEqual({
			rc: 1,
			said: "logfile not found: /srv/web/serve.log",
		});
		world.doors.files.seed("/srv/web/serve.log", "x\n");
		world.doors.proc.answer("tail", 0);
		expect((await svc(world, "logs", "web")).rc).toBe(0);
		expect(world.doors.proc.execs.at(-1)?.argv.join(" ")).toBe(
			"tail -n 200 -F /srv/web/serve.log",
		);
	});
});

describe("list", () => {
	test("prints six columns, the policy resolved; warnings go to stderr", async () => {
		const world = await serviceWorld([]);
		const text = "web\t~/w\tl\th\t\tbogus\nbad\t/x\n";
		world.doors.files.seed(REGISTRY, text);
		const done = await svc(world, "list");
		expect(done.rc).toBe(0);
		expect(world.printed).toEqual([
			"web\t/home/op/w\tl\th\t/home/op/w/serve.log\tauto-restart",
		]);
		expect(done.said).toContain("line 2: ");
	});
	test("no registry: a line and 0; one that cannot be read: 79", async () => {
		const world = await serviceWorld([]);
		expect(await svc(world, "list")).toEqual({
			rc: 0,
			said: `no registry at ${REGISTRY}: no services`,
		});
		world.doors.files.seed(REGISTRY, "");
		const done = await svc(world, "list");
		expect(done.rc).toBe(79);
		expect(done.said).toContain("registry not readable");
	});
});

describe("status", () => {
	test("shows every service with its key, and what is wrong with it", async () => {
		const world = await serviceWorld(["web", "db", "hung"]);
		world.watcher();
		world.supervise("web", 500);
		world.health.set("web ok", 0);
		world.health.set("db ok", 0);
		seedRecord(world, "db", DEAD);
		world.health.set("hung ok", "hang");
		const { rc } = await svc(world, "status");
		expect(rc).toBe(0);
		const text = world.printed.join("\n");
		expect(text).toContain(" 1  web          UP       pid:500");
		expect(text).toContain(" 2  db           DEGRADED orphan");
		expect(text).toContain(
			" 3  hung         UNKNOWN  -          did not finish within 20s",
		);
		expect(text).toEndWith("monitor/svc.ts restart db");
	});

	test("of one service: its row and the disk's; 0 up, 1 otherwise", async () => {
		const world = await serviceWorld(["web", "db"]);
		world.health.set("db ok", 0);
		expect((await svc(world, "status", "db")).rc).toBe(0);
		const rows = world.printed.slice(world.printed.indexOf("") + 2);
		expect(rows).toEqual([
			expect.stringMatching(/^ {4}fs /),
			expect.stringMatching(/^ 2 {2}db +UP/),
		]);
		expect((await svc(world, "status", "web")).rc).toBe(1);
	});

	test("with an unreadable registry: 79, and it says so; an unknown name: 1 with the known ones", async () => {
		const world = await serviceWorld(["web"]);
		const nope = await svc(world, "status", "nope");
		expect(nope.rc).toBe(1);
		expect(nope.said).toContain(
			`unknown service 'nope' (registry: ${REGISTRY}; known: watcher, web)`,
		);
		world.doors.files.seed(REGISTRY, "");
		expect((await svc(world, "status")).rc).toBe(79);
		expect(world.printed.join("\n")).toContain("REGISTRY NOT READABLE");
		expect((await svc(world, "status", "web")).rc).toBe(79);
	});

	test("a service that left the registry and still runs is shown", async () => {
		const world = await serviceWorld(["old"]);
		world.supervise("old", 500);
		world.doors.files.seed(REGISTRY, "# all gone\n");
		await svc(world, "status");
		expect(world.printed.join("\n")).toContain("UNLISTED pid:500");
	});
});

describe("down and up", () => {
	test("down stops the watcher first, then the services side by side, and leaves the agents", async () => {
		const world = await serviceWorld(["db", "web"]);
		world.supervise("db", 500);
		world.supervise("web", 600);
		const done = await svc(world, "down");
		expect(done.rc).toBe(0);
		expect(done.said).toBe(
			[
				"watcher: nothing to stop",
				"2 service(s): ending them, and looking whether they still answer (at most 60s)",
				"web: stopped",
				"db: stopped",
				"orchestrator and workers were left alone",
			].join("\n"),
		);
		expect(stopRequested(world.doors.files, STATE)).toBe("yes");
	});

	test("down waits for hanging checks once, and not for each after the other", async () => {
		const world = await serviceWorld(["a", "b", "c"]);
		for (const [at, name] of ["a", "b", "c"].entries()) {
			world.supervise(name, 500 + at);
			world.health.set(`${name} ok`, "hang");
		}
		const start = world.doors.clock.monoMs();
		expect((await svc(world, "down")).rc).toBe(0);
		expect(world.doors.clock.monoMs() - start).toBeLessThan(70_000);
	});

	test("what up shows at its end does not wait for hanging checks as recovery did", async () => {
		const world = await serviceWorld(["web"]);
		world.health.set("web ok", "hang");
		world.doors.proc.answer(/bootstrap-recover/, 0);
		const start = world.doors.clock.monoMs();
		await svc(world, "up");
		expect(world.printed.join("\n")).toContain("did not finish within 5s");
		expect(world.doors.clock.monoMs() - start).toBeLessThan(6000);
	});

	test("up takes down back, runs recovery with its flags, and shows the status", async () => {
		const world = await serviceWorld(["db", "web"], {
			recover: ["--no-workers"],
		});
		await svc(world, "stop", "db");
		await svc(world, "down");
		world.doors.proc.answer(/bootstrap-recover/, () => {
			world.watcher();
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		const done = await svc(world, "up");
		expect(done.rc).toBe(0);
		expect(done.said).toContain("db: stays stopped, as asked");
		const { files, proc } = world.doors;
		expect(stopRequested(files, STATE)).toBe("no");
		expect(readStopMark(files, STATE, "web")).toBeNull();
		expect(readStopMark(files, STATE, "db")).not.toBeNull();
		const ran = proc.execs.map((e) => e.argv.join(" "));
		expect(
			ran.some((l) => l.endsWith("bootstrap-recover.ts --no-workers")),
		).toBe(true);
		expect(world.printed[0]).toStartWith("nexus service cockpit");
	});

	test("a dry run takes nothing back", async () => {
		const world = await serviceWorld(["web"], { recover: ["--dry-run"] });
		await svc(world, "down");
		world.doors.proc.answer(/bootstrap-recover/, 0);
		await svc(world, "up");
		expect(stopRequested(world.doors.files, STATE)).toBe("yes");
		const ran = world.doors.proc.execs.map((e) => e.argv.join(" "));
		expect(ran).toContainEqual(
			expect.stringMatching(/recover\.ts --dry-run --stops-taken-back$/),
		);
	});

	test.each([
		["nobody keeps watch after it", [], 1],
		["the watcher was not asked for", ["--services-only"], 0],
	])("recovery that ends well while %s", async (_, recover, rc) => {
		const world = await serviceWorld([], { recover });
		world.doors.proc.answer(/bootstrap-recover/, 0);
		const done = await svc(world, "up");
		expect(done.rc).toBe(rc);
		expect(done.said.includes("no watcher runs")).toBe(rc === 1);
	});

	test("recovery that fails is 1, with the status all the same", async () => {
		const world = await serviceWorld([]);
		world.doors.proc.answer(/bootstrap-recover/, 3);
		const done = await svc(world, "up");
		expect(done.rc).toBe(1);
		expect(done.said).toContain("bootstrap-recover failed");
		expect(world.printed[0]).toStartWith("nexus service cockpit");
	});

	test("an unusable configuration is 2, and nothing is touched", async () => {
		const world = await serviceWorld(["web"]);
		await svc(world, "down");
		const up = SVC_VERBS.find((v) => v.name === "up");
		const settings = { ...world.settings, problems: ["config: no"] };
		const run = (await up?.load())?.run;
		const rc = await run?.(undefined, { ...world.context, settings });
		expect(rc).toBe(2);
		expect(stopRequested(world.doors.files, STATE)).toBe("yes");
	});
});

test("the registry of the settings knows the configured default policy", async () => {
	const world = await serviceWorld(["web"], {
		env: { MONITOR_SERVICE_HEALTH_DEFAULT_POLICY: "emit-only" },
	});
	expect(registryOf(world.doors, world.settings)).toMatchObject({
		rows: [{ name: "web", policy: "emit-only" }],
	});
});
