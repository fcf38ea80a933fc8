import { describe, expect, test } from "bun:test";
import { parseActionLog } from "../../monitor/_state/action-log.ts";
import { bootIntentPath } from "../../monitor/_state/boot-intent.ts";
import {
	bootRecoverLogPath,
	bootRecoverStampPath,
} from "../../monitor/_state/boot-recover.ts";
import { lastSnapshotPath } from "../../monitor/_state/last-snapshot.ts";
import { readRestartMarker } from "../../monitor/_state/service-marks.ts";
import { supervisorRecordPath } from "../../monitor/_state/supervisor-record.ts";
import { requestStop } from "../../monitor/_state/watcher-stop-requested.ts";
import {
	bootRecover,
	debounced,
	isNeeded,
} from "../../monitor/_svc/boot-recover.ts";
import { isFreshStart } from "../../monitor/_svc/recover/intent.ts";
import {
	planOrchestrator,
	planPin,
} from "../../monitor/_svc/recover/orchestrator.ts";
import { planRecovery } from "../../monitor/_svc/recover/plan.ts";
import { planWatcher } from "../../monitor/_svc/recover/watcher.ts";
import {
	LIFE_EVENTS,
	selectWorkers,
} from "../../monitor/_svc/recover/workers.ts";
import { reasonOf, recover } from "../../monitor/_svc/recover.ts";
import {
	lockedElsewhere,
	REGISTRY,
	type ServiceWorld,
	serviceWorld,
} from "../support/service-world.ts";
import { STATE } from "../support/watcher-world.ts";

describe("the flags", () => {
	const all = ["engaged", "watcher", "orchestrator", "services", "workers"];
	const but = (...left: string[]) => all.filter((s) => !left.includes(s));
	for (const [flags, steps] of [
		[[], all],
		[["--services-only"], but("watcher", "orchestrator")],
		[["--no-services"], but("engaged", "services", "workers")],
		[["--watcher-only"], but("engaged", "services", "workers")],
		[["--no-orchestrator"], but("orchestrator")],
		[["--no-workers"], but("engaged", "workers")],
	] as const)
		test(`${flags.join(" ") || "none"} → ${steps.join(", ")}`, () => {
			expect(planRecovery(new Set(flags))).toEqual({
				kind: "go",
				dryRun: false,
				stopsTakenBack: false,
				steps: steps as never,
			});
		});

	for (const flags of [
		["--services-only", "--no-services"],
		["--watcher-only", "--services-only"],
	])
		test(`${flags.join(" with ")} is refused, in any order`, () => {
			expect(planRecovery(new Set(flags)).kind).toBe("refused");
			expect(planRecovery(new Set(flags.toReversed())).kind).toBe("refused");
		});
});

describe("the watcher", () => {
	for (const [bucket, stop, dryRun, launch, says] of [
		[0, "no", false, false, "healthy"],
		[1, "no", false, false, "left alone"],
		[4, "no", false, false, "left alone"],
		[2, "no", false, true, "running"],
		[3, "no", false, true, "running"],
		[2, "no", true, false, "would run"],
		[2, "yes", false, false, "stopped on purpose"],
		[3, "unknown", false, false, "left down"],
	] as const)
		test(`bucket ${bucket}, stopped: ${stop}${dryRun ? ", dry run" : ""} → ${says}`, () => {
			const plan = planWatcher(bucket, stop, dryRun);
			expect(plan.launch).toBe(launch);
			expect(plan.line).toContain(says);
			expect(isNeeded(plan.line)).toBe(says === "would run");
		});
});

describe("the orchestrator", () => {
	const there = { kind: "present", value: "@4" } as const;
	for (const [rule, found, dryRun, spawn, pin] of [
		["present: pinned, never replaced", there, false, false, true],
		["absent: started, then pinned", { kind: "absent" }, false, true, true],
		["absent, dry run", { kind: "absent" }, true, false, false],
		[
			"could not look: left alone",
			{ kind: "could-not-look", why: "tmux hangs" },
			false,
			false,
			false,
		],
	] as const)
		test(rule, () => {
			const plan = planOrchestrator(found, "lead", dryRun);
			expect(plan).toMatchObject({ spawn, pin });
			// What decides whether a boot needs recovery is not to be found in its lines.
			expect(isNeeded(plan.line)).toBe(false);
		});

	test.each([
		["error connecting to /tmp/tmux-0/default (No such file)", true],
		["no server running on /tmp/tmux-0/default", true],
		["tmux hangs", false],
	])("%s: told to start tmux first: %p", (why, isTold) => {
		const found = { kind: "could-not-look", why } as const;
		const { line } = planOrchestrator(found, "lead", false);
		expect(line.endsWith("; start tmux, then monitor/svc.ts up")).toBe(isTold);
	});

	const windows = async (names: readonly string[]) => {
		const { doors } = await serviceWorld([]);
		const session = doors.tmux.model.session("main");
		for (const name of names) doors.tmux.model.window(session, name);
		return doors.tmux.panes();
	};
	for (const [rule, names, expected] of [
		["at its index", ["a", "b", "lead"], { kind: "there" }],
		["its index is free", ["lead"], { kind: "move" }],
		[
			"its index is held by another window",
			["lead", "b", "someworker"],
			{ kind: "taken", by: "someworker" },
		],
		["no such window", ["a"], { kind: "no-window" }],
	] as const)
		test(`pinned: ${rule} → ${expected.kind}`, async () => {
			expect(planPin(await windows(names), "lead", 2)).toMatchObject(expected);
		});
});

const SNAPSHOT = (...windows: string[]) =>
	[
		"# snapshot-format=v2 tmux-first",
		"--- tmux ---",
		...windows.map((w) => `${w} bell=0`),
		"--- reports ---",
		"not-a-window bell=0",
		"",
	].join("\n");
const line = (event: string, window: string, more: object = {}) =>
	JSON.stringify({ ts: "2026-07-01T00:00:00Z", event, window, ...more });

describe("a worker is resumed when", () => {
	const house = new Set(["lead", "services", "watcher"]);
	const services = new Set(["web"]);
	const select = (
		windows: readonly string[],
		log: readonly string[],
		engaged: readonly string[] = [],
	) =>
		selectWorkers(
			SNAPSHOT(...windows),
			parseActionLog(log.join("\n"), LIFE_EVENTS),
			new Set(engaged),
			{ house, services },
		);
	const retain = (reason: string) => line("window-retain", "w", { reason });
	for (const [rule, log, engaged, picked] of [
		["it was spawned", [line("spawn", "w")], [], true],
		["nobody spawned it: not ours", [], [], false],
		["it wrapped up", [line("spawn", "w"), line("wrap-up", "w")], [], false],
		[
			"it wrapped up and was spawned again",
			[line("wrap-up", "w"), line("spawn", "w")],
			[],
			true,
		],
		[
			"its window was closed",
			[line("spawn", "w"), line("window-close", "w")],
			[],
			false,
		],
		[
			"it was retained after its wrap-up",
			[line("spawn", "w"), retain("wrap-up-hold")],
			[],
			false,
		],
		[
			"it was retained for another reason",
			[line("spawn", "w"), retain("operator")],
			[],
			true,
		],
		[
			"the operator worked in it, wrapped up or not",
			[line("spawn", "w"), line("wrap-up", "w")],
			["w"],
			true,
		],
		["the operator worked in it, and nobody spawned it", [], ["w"], false],
		[
			"the log's last line is torn",
			[line("spawn", "w"), '{"event":"wrap-up","wind'],
			[],
			true,
		],
	] as const)
		test(`${rule}: ${picked ? "yes" : "no"}`, () => {
			expect(select(["w"], log, engaged)[0]?.kind).toBe(
				picked ? "pick" : "skip",
			);
		});

	test("a text without the list of windows names nobody", () => {
		const log = [line("spawn", "w")];
		const events = parseActionLog(log.join("\n"), LIFE_EVENTS);
		const none = { house, services };
		expect(selectWorkers("w bell=0\n", events, new Set(), none)).toEqual([]);
	});

	test("neither the house's windows, services nor bells are workers; each is named once, in order", () => {
		const all = ["z", "lead", "services", "watcher", "web", "•ring", "a", "a"];
		const log = all.map((w) => line("spawn", w));
		expect(select(all, log).map((p) => `${p.kind} ${p.window}`)).toEqual([
			"pick a",
			"skip web",
			"pick z",
		]);
	});
});

/** A whole recovery, its programs as stand-ins that end with 0. */
async function run(world: ServiceWorld, ...flags: string[]) {
	const { doors, settings } = world;
	doors.log.clear();
	const plan = planRecovery(new Set(flags));
	if (plan.kind !== "go") throw new Error(plan.line);
	const rc = await recover({ doors, settings }, plan);
	return { rc, said: doors.log.messages() };
}
async function stackWorld(
	names: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<ServiceWorld> {
	const world = await serviceWorld(names, { env });
	for (const program of [/launcher/, /spawn-fresh/, /spawn-worker/])
		world.doors.proc.answer(program, 0);
	world.doors.tmux.model.session("main");
	return world;
}
const programs = (world: ServiceWorld) =>
	world.doors.proc.execs.flatMap(({ argv }) => {
		const at = argv.findIndex((word) => word.endsWith(".ts"));
		return at < 0
			? []
			: [argv.slice(at).join(" ").replace("/code/monitor/", "")];
	});
function seedWorkers(world: ServiceWorld, ...names: string[]): void {
	const { files } = world.doors;
	files.seed(lastSnapshotPath(STATE), SNAPSHOT("orchestrator", ...names));
	const log = names.map((w) => `${line("spawn", w)}\n`).join("");
	files.seed(`${STATE}/action-log.jsonl`, log);
}
/** tmux with one window that is nobody's: it answers, and nothing is there. */
function emptyTmux(world: ServiceWorld): void {
	const { model } = world.doors.tmux;
	const [session] = model.sessions;
	if (session !== undefined) model.window(session, "sh");
}

describe("a recovery", () => {
	test("from nothing: watcher, orchestrator, services, workers, in that order, and says what it did", async () => {
		const world = await stackWorld(["web", "db"]);
		emptyTmux(world);
		seedWorkers(world, "w1", "w2");
		world.health.set("db ok", 0);
		const { rc, said } = await run(world);
		expect(rc).toBe(0);
		expect(programs(world)).toEqual([
			"watcher/launcher.ts --ensure --target orchestrator",
			"watcher/spawn-fresh-orchestrator.ts --target orchestrator --reason cold recovery: no window of the orchestrator was there",
			"spawn-worker.ts --resume w1",
			"spawn-worker.ts --resume w2",
		]);
		expect(world.launches()).toEqual(["web"]);
		// Else an `up` of the operator's is told as a service that healed by itself.
		const credit = (name: string) =>
			readRestartMarker(world.doors.files, STATE, name)?.actor;
		expect([credit("web"), credit("db")]).toEqual(["operator", undefined]);
		expect(said).toContain(
			"services: 2 registered — 1 healthy, 1 relaunched, 0 left/skipped",
		);
		expect(said).toContain(
			"workers: 2 candidate(s) — 2 resumed, 0 already alive, 0 skipped, 0 over cap",
		);
		expect(said.join("\n")).not.toContain("not started");
		expect(said).toContain("watcher: it runs");
	});

	test("a watcher that cannot be started is told, and the recovery goes on", async () => {
		const world = await stackWorld(["web"]);
		emptyTmux(world);
		world.doors.proc.answer(/launcher/, 2);
		const { rc, said } = await run(world, "--no-orchestrator");
		expect([rc, world.launches()]).toEqual([0, ["web"]]);
		expect(said).toContain("watcher: not started (launcher exit 2)");
	});

	test.each([
		[2, 0],
		[3, 2],
	])(
		"where the launcher ends with %i, %i agents are started, and services all the same",
		async (exit, count) => {
			const world = await serviceWorld(["web"]);
			world.doors.proc.answer(/launcher/, exit);
			world.doors.proc.answer(/spawn-/, 0);
			world.doors.tmux.model.session("main");
			emptyTmux(world);
			seedWorkers(world, "w1");
			const { rc, said } = await run(world);
			expect(rc).toBe(0);
			expect(programs(world).filter((p) => p.includes("spawn-"))).toHaveLength(
				count,
			);
			expect(world.launches()).toEqual(["web"]);
			expect(
				said.join("\n").includes("none is started while the launcher refuses"),
			).toBe(count === 0);
		},
	);

	test("of a stack that runs does nothing", async () => {
		const world = await stackWorld(["web"]);
		world.watcher();
		world.supervise("web", 500);
		world.health.set("web ok", 0);
		const { model } = world.doors.tmux;
		for (const name of ["sh", "b", "orchestrator", "w1"])
			model.window(model.sessions[0] as never, name);
		seedWorkers(world, "w1");
		const { rc, said } = await run(world);
		expect(rc).toBe(0);
		expect(programs(world)).toEqual([]);
		expect(world.launches()).toEqual([]);
		expect(said).toContain("worker w1: already-alive");
	});

	test("a dry run says what it would do, in words that boot-recover knows, and does nothing", async () => {
		const world = await stackWorld(["web"]);
		emptyTmux(world);
		seedWorkers(world, "w1");
		const { said } = await run(world, "--dry-run");
		expect(programs(world)).toEqual([]);
		expect(world.launches()).toEqual([]);
		const needed = said.filter(isNeeded).map((l) => l.split(":")[0]);
		expect(needed).toEqual(["watcher", "web", "worker w1"]);
		expect(said).toContain(
			"services: 1 registered — 0 healthy, 0 relaunched, 0 left/skipped, 1 to relaunch",
		);
		expect(said).toContain(
			"workers: 1 candidate(s) — 0 resumed, 0 already alive, 0 skipped, 0 over cap, 1 to resume",
		);
	});

	test("stops at its cap of workers, and names those over it", async () => {
		const world = await stackWorld([], { RECOVER_MAX_WORKERS: "2" });
		emptyTmux(world);
		seedWorkers(world, "w1", "w2", "w3");
		const { said } = await run(world);
		expect(said).toContain("worker w3: over-cap");
		expect(said.at(-1)).toBe(
			"workers: 3 candidate(s) — 2 resumed, 0 already alive, 0 skipped, 1 over cap",
		);
	});

	for (const [exit, fate] of [
		[11, "session-unresolvable"],
		[12, "workdir-unresolvable"],
		[13, "already-alive"],
		[1, "resume-failed"],
	] as const)
		test(`spawn-worker ${exit} → ${fate}, and the recovery goes on`, async () => {
			const world = await stackWorld([]);
			emptyTmux(world);
			seedWorkers(world, "w1");
			world.doors.proc.answer(/spawn-worker/, exit);
			const { rc, said } = await run(world);
			expect(rc).toBe(0);
			expect(said).toContain(`worker w1: ${fate}`);
		});

	test("an unreadable registry resumes nobody, and is 79: service windows would look like dead workers", async () => {
		const world = await stackWorld(["web"]);
		emptyTmux(world);
		seedWorkers(world, "w1");
		world.doors.files.seed(REGISTRY, "");
		const { rc, said } = await run(world);
		expect(rc).toBe(79);
		expect(said.join("\n")).toContain("registry not readable");
		expect(programs(world).join("\n")).not.toContain("spawn-worker");
	});

	for (const [flags, ran, launches] of [
		[["--services-only"], ["spawn-worker.ts --resume w1"], ["web"]],
		[["--watcher-only"], ["watcher/launcher.ts", "watcher/spawn-fresh"], []],
		[
			["--no-orchestrator"],
			["watcher/launcher.ts", "spawn-worker.ts --resume w1"],
			["web"],
		],
		[["--no-workers"], ["watcher/launcher.ts", "watcher/spawn-fresh"], ["web"]],
	] as const)
		test(`with ${flags.join(" ")} does that and no more`, async () => {
			const world = await stackWorld(["web"]);
			emptyTmux(world);
			seedWorkers(world, "w1");
			expect((await run(world, ...flags)).rc).toBe(0);
			expect(world.launches()).toEqual([...launches]);
			const done = programs(world);
			expect(done).toHaveLength(ran.length);
			for (const [n, start] of ran.entries())
				expect(done[n]).toStartWith(start);
		});

	for (const [what, spoil, says] of [
		[
			"no snapshot",
			(w: ServiceWorld) => w.doors.files.remove(lastSnapshotPath(STATE)),
			null,
		],
		[
			"a damaged snapshot",
			(w: ServiceWorld) => w.doors.files.seed(lastSnapshotPath(STATE), ""),
			"workers: none is resumed: the snapshot is damaged",
		],
		[
			"a log that cannot be read",
			(w: ServiceWorld) => {
				w.doors.files.remove(`${STATE}/action-log.jsonl`);
				w.doors.files.seedDir(`${STATE}/action-log.jsonl`);
			},
			"workers: none is resumed: the action log could not be read",
		],
	] as const)
		test(`${what}: nobody is resumed, and the rest goes on`, async () => {
			const world = await stackWorld(["web"]);
			emptyTmux(world);
			seedWorkers(world, "w1");
			spoil(world);
			const { rc, said } = await run(world, "--no-orchestrator");
			expect([rc, world.launches()]).toEqual([0, ["web"]]);
			expect(programs(world).join()).not.toContain("spawn-worker");
			if (says !== null) expect(said).toContain(says);
		});

	test("a service that cannot be started is told, and the others go on", async () => {
		const world = await stackWorld(["web", "db", "busy"]);
		emptyTmux(world);
		const launch = world.onLaunch;
		world.onLaunch = (name) => {
			if (name !== "web") launch(name);
		};
		lockedElsewhere(world, "busy");
		const { rc, said } = await run(world, "--services-only", "--no-workers");
		expect([rc, world.launches()]).toEqual([0, ["web", "db"]]);
		expect(said).toContain("web: launch-failed (no record after 10s)");
		expect(said).toContain("db: relaunched");
		expect(said).toContain(
			"services: 3 registered — 0 healthy, 1 relaunched, 2 left/skipped",
		);
	});

	test("a supervisor that nobody can tell is left alone, and why is said", async () => {
		const world = await stackWorld(["web"]);
		emptyTmux(world);
		world.doors.files.faults.fail({
			path: supervisorRecordPath(STATE, "web"),
			ops: ["read"],
			code: "EIO",
		});
		const { rc, said } = await run(world, "--services-only", "--no-workers");
		expect([rc, world.launches()]).toEqual([0, []]);
		expect(said.join("\n")).toMatch(/^web: supervisor-unknown \(.*EIO.*\)$/m);
	});

	test("a bad row of the registry is named", async () => {
		const world = await stackWorld(["web"]);
		world.doors.files.append(REGISTRY, "half\t/w\n");
		const { said } = await run(world, "--services-only", "--no-workers");
		expect(said.join("\n")).toMatch(/services\.registry line 2: /);
	});

	test("its programs can be stood in for", async () => {
		const world = await stackWorld([], {
			RECOVER_LAUNCHER_BIN: "/x/launch",
			RECOVER_SPAWN_ORCH_BIN: "/x/orch",
			RECOVER_SPAWN_WORKER_BIN: "/x/worker",
		});
		for (const program of ["launch", "orch", "worker"])
			world.doors.proc.answer(`/x/${program}`, 0);
		emptyTmux(world);
		seedWorkers(world, "w1");
		await run(world);
		expect(programs(world)).toEqual([]);
		expect(world.doors.proc.execs.map(({ argv }) => argv[0])).toEqual([
			"/x/launch",
			"/x/orch",
			"/x/worker",
		]);
	});

	test("without a registry it is the watcher's recovery", async () => {
		const { rc, said } = await run(await stackWorld([]), "--no-workers");
		expect(rc).toBe(0);
		expect(said.join("\n")).toContain("watcher-only recovery");
	});

	test("where tmux does not answer, no window is taken for gone", async () => {
		const world = await stackWorld([]);
		seedWorkers(world, "w1");
		const { said } = await run(world);
		expect(programs(world)).toEqual([
			"watcher/launcher.ts --ensure --target orchestrator",
		]);
		expect(said).toContain("worker w1: could-not-look");
	});

	test("a check that hangs holds up no other service, and whose it is is said", async () => {
		const world = await stackWorld(["slow", "web", "db"]);
		emptyTmux(world);
		world.health.set("slow ok", "hang");
		const { clock } = world.doors;
		const start = clock.monoMs();
		const at: Record<string, number> = {};
		const launch = world.onLaunch;
		world.onLaunch = (name) => {
			at[name] = Math.round((clock.monoMs() - start) / 1000);
			launch(name);
		};
		const { said } = await run(world, "--services-only", "--no-workers");
		expect(world.launches()).toEqual(["web", "db", "slow"]);
		expect(at.db).toBeLessThan(10);
		expect(at.slow).toBeGreaterThanOrEqual(60);
		expect(said).toContain("waiting for the check of slow (at most 60s)");
	});

	test("what was stopped on purpose stays down", async () => {
		const world = await stackWorld(["web"]);
		emptyTmux(world);
		requestStop(world.doors.files, STATE);
		world.doors.files.seed(`${STATE}/services/web.stopped`, "scope=service\n");
		const { said } = await run(world, "--no-orchestrator");
		expect(programs(world)).toEqual([]);
		expect(world.launches()).toEqual([]);
		expect(said.join("\n")).toContain("web: stopped-on-purpose");
	});

	test("a dry run of up knows that it takes back the stop of the whole stack, and of nothing else", async () => {
		const world = await stackWorld(["web", "db"]);
		emptyTmux(world);
		requestStop(world.doors.files, STATE);
		world.doors.files.seed(`${STATE}/services/web.stopped`, "scope=stack\n");
		world.doors.files.seed(`${STATE}/services/db.stopped`, "scope=service\n");
		const { said } = await run(world, "--dry-run", "--stops-taken-back");
		expect(programs(world)).toEqual([]);
		const text = said.join("\n");
		expect(text).toContain("watcher: down; would run");
		expect(text).toContain("web: would relaunch");
		expect(text).toContain("db: stopped-on-purpose");
	});

	test("the orchestrator is moved to its free index", async () => {
		const world = await stackWorld([]);
		const { model } = world.doors.tmux;
		model.window(model.sessions[0] as never, "orchestrator");
		const { said } = await run(world, "--no-services");
		expect(said).toContain(
			"orchestrator: its window was moved to index 2 (monitor.target_window_index)",
		);
		expect(model.sessions[0]?.windows[0]?.index).toBe(2);
	});

	test("leaves an orchestrator whose index is held where it is, and says by whom", async () => {
		const world = await stackWorld([]);
		const { model } = world.doors.tmux;
		for (const name of ["orchestrator", "b", "someworker"])
			model.window(model.sessions[0] as never, name);
		const before = JSON.stringify(model.sessions[0]?.windows);
		const { said } = await run(world, "--no-services");
		expect(said).toContain(
			"orchestrator: not moved: index 2 is held by window 'someworker'",
		);
		expect(JSON.stringify(model.sessions[0]?.windows)).toBe(before);
	});

	for (const [exit, says] of [
		[1, "orchestrator: not started (exit 1)"],
		[4, "orchestrator: its window stands, and its brief was not taken"],
	] as const)
		test(`an orchestrator that ends with ${exit} is told, and the recovery goes on`, async () => {
			const world = await stackWorld(["web"]);
			emptyTmux(world);
			world.doors.proc.answer(/spawn-fresh/, exit);
			const { rc, said } = await run(world, "--no-workers");
			expect(rc).toBe(0);
			expect(said).toContain(says);
			expect(world.launches()).toEqual(["web"]);
		});

	test("resumes whom the operator worked with, though it has wrapped up; the watcher that starts first would have forgotten it", async () => {
		const world = await stackWorld([]);
		emptyTmux(world);
		seedWorkers(world, "w1", "w2");
		const { files, clock, proc } = world.doors;
		const done = (w: string) => `${line("wrap-up", w)}\n`;
		files.append(`${STATE}/action-log.jsonl`, done("w1") + done("w2"));
		const now = clock.now();
		const mark = `w1\t${now - 60}\t${now - 30}\t0\tprompt\t0\n`;
		files.seed(`${STATE}/operator-engaged.tsv`, mark);
		files.seed(`${STATE}/pane-change/w1`, `x\t${now - 30}\n`);
		proc.answer(/launcher/, () => {
			files.remove(`${STATE}/operator-engaged.tsv`);
			return { kind: "exited", rc: 0, stdout: "", stderr: "" };
		});
		const { said } = await run(world);
		expect(programs(world).at(-1)).toBe("spawn-worker.ts --resume w1");
		expect(said).toContain("worker w2: skipped: its last event is wrap-up");
	});

	test("a fresh start resumes nobody, keeps the snapshot aside, tells the orchestrator whom it will miss, and counts once", async () => {
		const world = await stackWorld([]);
		emptyTmux(world);
		seedWorkers(world, "w1");
		const { files, clock } = world.doors;
		const intent = `mode=fresh\nts=${clock.now() - 60}\nsource=entry\npid=1\n`;
		files.seed(bootIntentPath(STATE), intent);
		await run(world);
		expect(programs(world).at(-1)).toEndWith(
			"workers that ran before and were not resumed: w1",
		);
		expect(files.stat(lastSnapshotPath(STATE)).kind).toBe("absent");
		expect(files.stat(bootIntentPath(STATE)).kind).toBe("absent");
	});

	test("an unusable configuration is 1, another instance 3; nothing is launched", async () => {
		const world = await stackWorld(["web"]);
		const settings = { ...world.settings, problems: ["config: no"] };
		const plan = planRecovery(new Set());
		if (plan.kind !== "go") throw new Error(plan.line);
		const { doors } = world;
		expect(await recover({ doors, settings }, plan)).toBe(1);
		const beacon = `host: elsewhere\nepoch: ${doors.clock.now()}\nnonce: x\n`;
		doors.files.seed(`${STATE}/nexus-instance.heartbeat`, beacon);
		expect((await run(world)).rc).toBe(3);
		expect(programs(world)).toEqual([]);
		// A look harms nobody.
		expect((await run(world, "--dry-run")).rc).toBe(0);
	});
});

test("an intent is for this start: fresh, and not older than its time", () => {
	const intent = { mode: "fresh", ts: 1000, source: "", pid: 0 } as const;
	expect(isFreshStart(intent, 1899, 900)).toBe(true);
	expect(isFreshStart(intent, 1900, 900)).toBe(false);
	expect(isFreshStart({ ...intent, mode: "continue" }, 1001, 900)).toBe(false);
	expect(isFreshStart(null, 1001, 900)).toBe(false);
	expect(reasonOf(true, [])).toBe(reasonOf(false, []));
});

describe("boot-recover", () => {
	for (const [rule, now, mtime, window, expected] of [
		["no stamp", 1000, null, 300, false],
		["young", 1299, 1000, 300, true],
		["old", 1300, 1000, 300, false],
		["a little ahead is age 0", 1000, 1300, 300, true],
		["far ahead is not believed", 1000, 1301, 300, false],
		["0 disables", 1000, 1000, 0, false],
	] as const)
		test(`${rule} → ${expected ? "debounced" : "looked"}`, () => {
			expect(debounced(now, mtime, window)).toBe(expected);
		});

	const NO = { force: false, sync: false };
	const boot = async (
		world: ServiceWorld,
		look: string | number,
		args = NO,
	) => {
		world.doors.proc.answer(/bootstrap-recover/, look);
		return bootRecover(world.doors, world.settings, args);
	};
	const spawned = (world: ServiceWorld) => world.doors.proc.spawned.length;

	for (const [rule, look, started] of [
		["all is up", "web: healthy\n", 0],
		["a service is down", "web: would relaunch\n", 1],
		["a worker is gone", "worker w: would resume\n", 1],
		["the look failed, or there is no such program", 1, 1],
	] as const)
		test(`${rule}: ${started === 1 ? "a recovery starts beside the caller" : "nothing starts"}`, async () => {
			const world = await serviceWorld([]);
			expect(await boot(world, look)).toBe(0);
			expect(spawned(world)).toBe(started);
			if (started === 1)
				expect(world.doors.proc.spawned[0]?.log).toBe(
					bootRecoverLogPath(STATE),
				);
			expect(world.doors.files.stat(bootRecoverStampPath(STATE)).kind).toBe(
				"ok",
			);
		});

	test("--sync recovers in the foreground, and ends as that does", async () => {
		const world = await serviceWorld([]);
		const { doors, settings } = world;
		doors.proc.answer(/bootstrap-recover/, (argv) => {
			const looks = argv.at(-1) === "--dry-run";
			const [rc, stdout] = looks ? [0, "watcher: down; would run x"] : [3, ""];
			return { kind: "exited", rc, stdout, stderr: "" } as const;
		});
		expect(await bootRecover(doors, settings, { ...NO, sync: true })).toBe(3);
		expect(spawned(world)).toBe(0);
	});

	test("twice in a row it looks once; --force looks again", async () => {
		const world = await serviceWorld([]);
		await boot(world, "would run");
		await boot(world, "would run");
		expect(spawned(world)).toBe(1);
		await boot(world, "would run", { ...NO, force: true });
		expect(spawned(world)).toBe(2);
	});
});
