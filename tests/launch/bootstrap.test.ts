import { describe, expect, test } from "bun:test";
import { archivePath } from "../../monitor/_state/emit-archive.ts";
import { lastAckPath } from "../../monitor/_state/last-ack.ts";
import { watcherBootstrapLockPath } from "../../monitor/_state/watcher-bootstrap-lock.ts";
import { watcherLogPath } from "../../monitor/_state/watcher-log.ts";
import { requestStop } from "../../monitor/_state/watcher-stop-requested.ts";
import {
	type BootstrapFacts,
	decideBootstrap,
} from "../../monitor/watcher/_bootstrap/decide.ts";
import { renderIncident } from "../../monitor/watcher/_bootstrap/incident.ts";
import {
	type BootstrapInput,
	bootstrap,
} from "../../monitor/watcher/_bootstrap.ts";
import {
	STATE,
	type WatcherLook,
	type WatcherWorld,
	watcherWorld,
} from "../support/watcher-world.ts";

const GOOD = "good" as const;
type ConfigLook = typeof GOOD | "invalid" | "placeholder" | "missing";

async function run(
	world: WatcherWorld,
	opts: { readonly config?: ConfigLook; readonly updateAck?: boolean } = {},
) {
	const { config = GOOD, updateAck = true } = opts;
	let printed = "";
	const rc = await bootstrap(world.doors, {
		settings: world.settings,
		refusal: refusalOf(config),
		updateAck,
		print: (text) => {
			printed += text;
		},
	});
	return { rc, printed, said: world.doors.log.messages().join("\n") };
}

function refusalOf(look: ConfigLook): BootstrapInput["refusal"] {
	return look === GOOD
		? null
		: { kind: "refused", why: look, lines: ["config: nexus.yml:3:1: no"] };
}

describe("what is done about the watcher that is found", () => {
	const down: BootstrapFacts = {
		verdict: {
			...{ state: "DOWN", rc: 2, bucket: 2, pid: 7, heartbeatAge: 444 },
			...{ progressAge: null, cycleAge: null, periodSeconds: 60 },
			...{ wedgeCutoff: 900, reason: "heartbeat stale (age=444s)" },
		},
		moved: false,
		stopRequested: "no",
		configUsable: true,
	};
	const found = (over: Partial<BootstrapFacts["verdict"]>) => ({
		verdict: { ...down.verdict, ...over },
	});
	test.each<[string, Partial<BootstrapFacts>, object]>([
		["down: launched", {}, { kind: "launch", reason: down.verdict.reason }],
		[
			"fresh",
			{ ...found({ bucket: 0, state: "UP", heartbeatAge: 5 }), moved: true },
			{ kind: "leave", line: "heartbeat OK (5s)" },
		],
		["late", found({ bucket: 1, state: "BUSY" }), { kind: "leave" }],
		["wedged", found({ bucket: 4, state: "WEDGED" }), { kind: "leave" }],
		[
			"never beat, alive",
			found({ bucket: 3, state: "BUSY" }),
			{ kind: "leave" },
		],
		["never beat, down", found({ bucket: 3 }), { kind: "launch" }],
		["moved at the second look", { moved: true }, { kind: "leave" }],
		[
			"down, no usable configuration",
			{ configUsable: false },
			{ kind: "refuse" },
		],
		[
			"stopped on purpose",
			{ stopRequested: "yes" },
			{ kind: "leave", line: "the watcher was stopped on purpose; left so" },
		],
		[
			"nobody knows whether it was stopped",
			{ stopRequested: "unknown" },
			{
				kind: "leave",
				line: "could not see whether the watcher was stopped on purpose; left so",
			},
		],
	])("%s", (_what, over, expected) => {
		expect(decideBootstrap({ ...down, ...over })).toMatchObject(expected);
	});
});

async function worldWith(look?: WatcherLook): Promise<WatcherWorld> {
	const world = await watcherWorld();
	if (look !== undefined) world.watcher(look);
	world.doors.proc.answer(/launcher\.ts --ensure$/, 0);
	return world;
}
const DEAD: WatcherLook = { alive: false };
const launches = (world: WatcherWorld) =>
	world.doors.proc.execs.filter((e) => e.argv.join(" ").includes("launcher"))
		.length;
const incidents = (world: WatcherWorld) =>
	world.doors.files
		.paths("/root/reports")
		.filter((p) => p.endsWith("_watcher-incident.md"));

describe("the watcher it finds", () => {
	const cases: readonly (readonly [
		string,
		WatcherLook | undefined,
		ConfigLook,
		{ rc: 0 | 1; launches: number; incidents: number; says: string },
	])[] = [
		[
			"well",
			{},
			GOOD,
			{ rc: 0, launches: 0, incidents: 0, says: "heartbeat OK (5s)" },
		],
		[
			"late",
			{ heartbeatAge: 200 },
			GOOD,
			{ rc: 0, launches: 0, incidents: 0, says: "BUSY" },
		],
		[
			"wedged",
			{ progressAge: 1000 },
			GOOD,
			{ rc: 0, launches: 0, incidents: 0, says: "WEDGED" },
		],
		[
			"its heartbeat stale, its loop moving",
			{ heartbeatAge: 444, progressAge: 0 },
			GOOD,
			{ rc: 0, launches: 0, incidents: 0, says: "BUSY" },
		],
		[
			"dead",
			DEAD,
			GOOD,
			{ rc: 0, launches: 1, incidents: 1, says: "watcher down" },
		],
		[
			"never started",
			undefined,
			GOOD,
			{ rc: 0, launches: 1, incidents: 1, says: "no heartbeat file" },
		],
		[
			"well, but the configuration is broken",
			{},
			"invalid",
			{ rc: 0, launches: 0, incidents: 0, says: "config: nexus.yml:3:1: no" },
		],
		[
			"dead, and the configuration is broken",
			DEAD,
			"invalid",
			{ rc: 1, launches: 0, incidents: 0, says: "nothing was started" },
		],
		[
			"dead, and a required value is missing",
			DEAD,
			"missing",
			{ rc: 1, launches: 0, incidents: 0, says: "nothing was started" },
		],
		[
			"a fresh clone with the template's values",
			DEAD,
			"placeholder",
			{ rc: 1, launches: 0, incidents: 0, says: "config:" },
		],
	];
	for (const [rule, look, config, expected] of cases)
		test(rule, async () => {
			const world = await worldWith(look);
			const done = await run(world, { config });
			expect(done.rc).toBe(expected.rc);
			expect(launches(world)).toBe(expected.launches);
			expect(incidents(world)).toHaveLength(expected.incidents);
			expect(done.said).toContain(expected.says);
		});

	test("stopped on purpose stays stopped over the orchestrator's turns", async () => {
		const world = await worldWith(DEAD);
		requestStop(world.doors.files, STATE);
		expect((await run(world)).rc).toBe(0);
		expect(launches(world)).toBe(0);
	});

	test("waking after a suspend is left alone", async () => {
		const world = await worldWith({ heartbeatAge: 9000, progressAge: 9000 });
		world.doors.clock.after(5_000, () => world.watcher());
		await run(world);
		expect(launches(world)).toBe(0);
	});

	test("dead, and the launcher fails: told, the missed reports still handed over", async () => {
		const world = await worldWith(DEAD);
		world.doors.proc.answer(/launcher\.ts --ensure$/, {
			rc: 3,
			stderr: "no\n",
		});
		world.doors.files.seed(archivePath(STATE, "a.md"), "A\n");
		const done = await run(world);
		expect(done.rc).toBe(1);
		expect(done.printed).toContain(">>> a.md");
	});

	test("BOOTSTRAP_LAUNCHER_BIN stands in for the launcher", async () => {
		const world = await watcherWorld({
			env: { BOOTSTRAP_LAUNCHER_BIN: "/bin/up" },
		});
		world.doors.proc.answer("up", 0);
		await run(world);
		expect(world.doors.proc.execs[0]?.argv).toEqual(["/bin/up", "--ensure"]);
	});

	test("recovery of services follows", async () => {
		const world = await worldWith(DEAD);
		await run(world);
		expect(world.doors.proc.execs.at(-1)?.argv.slice(-2)).toEqual([
			"/code/monitor/bootstrap-recover.ts",
			"--services-only",
		]);
	});
});

test("two agents at once: the second skips", async () => {
	const world = await worldWith(DEAD);
	world.doors.locks.takenElsewhere(watcherBootstrapLockPath(STATE));
	const done = await run(world);
	expect(done).toMatchObject({ rc: 0, printed: "" });
	expect(done.said).toBe("another agent is bootstrapping; skipping");
	expect(launches(world)).toBe(0);
});

describe("missed reports", () => {
	const withArchives = async () => {
		const world = await worldWith({});
		const now = world.doors.clock.now();
		for (const [name, age] of [
			["b.md", 20],
			["a.md", 30],
			["c.md", 5],
		] as const)
			world.doors.files.seed(archivePath(STATE, name), `body of ${name}\n`, {
				mtime: now - age,
			});
		world.doors.files.seed(archivePath(STATE, "notes.txt"), "x");
		return { world, now };
	};

	test("all without an ack, by name, on standard output alone", async () => {
		const { world } = await withArchives();
		expect((await run(world)).printed).toBe(
			">>> a.md\nbody of a.md\n\n>>> b.md\nbody of b.md\n\n>>> c.md\nbody of c.md\n\n",
		);
	});

	test("only those newer than the ack; then none, until a new one is archived", async () => {
		const { world, now } = await withArchives();
		world.doors.files.seed(lastAckPath(STATE), "then\n", { mtime: now - 20 });
		expect((await run(world)).printed).toBe(">>> c.md\nbody of c.md\n\n");
		await world.doors.clock.advance(1000);
		const second = await run(world);
		expect(second.printed).toBe("");
		expect(second.said).toContain(
			`no missed diffs since ${world.doors.clock.iso(now)}`,
		);
		await world.doors.clock.advance(1000);
		world.doors.files.seed(archivePath(STATE, "d.md"), "body of d.md\n");
		expect((await run(world)).printed).toBe(">>> d.md\nbody of d.md\n\n");
	});

	test("--no-update-ack hands them over again", async () => {
		const { world } = await withArchives();
		const once = await run(world, { updateAck: false });
		expect((await run(world, { updateAck: false })).printed).toBe(once.printed);
		expect(world.doors.files.has(lastAckPath(STATE))).toBe(false);
	});

	test("one that is archived while we read is not lost", async () => {
		const { world } = await withArchives();
		const unhook = world.doors.files.faults.before((op, path) => {
			if (op !== "list" || !path.endsWith("/diffs")) return;
			unhook();
			world.doors.files.seed(archivePath(STATE, "late.md"), "late\n", {
				mtime: world.doors.clock.now() + 1,
			});
		});
		expect((await run(world)).printed).not.toContain("late.md");
		await world.doors.clock.advance(2000);
		expect((await run(world)).printed).toContain(">>> late.md");
	});

	test("an archive that cannot be listed is not acked", async () => {
		const { world } = await withArchives();
		world.doors.files.faults.fail({
			path: /diffs$/,
			ops: ["list"],
			code: "EIO",
		});
		await run(world);
		expect(world.doors.files.has(lastAckPath(STATE))).toBe(false);
	});
});

describe("the incident report", () => {
	test("gives the reason, the heartbeat, the last archive, the log's end and an old watcher window", async () => {
		const world = await worldWith(DEAD);
		const { doors } = world;
		doors.files.seed(archivePath(STATE, "2026-05-11_13-42-01_ab.md"), "x", {
			mtime: 1,
		});
		const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
		doors.files.seed(watcherLogPath(STATE), `${lines.join("\n")}\n`);
		doors.tmux.window("watcher", "old output");
		await run(world);
		const [path = ""] = incidents(world);
		expect(path).toMatch(
			/^\/root\/reports\/nexus_\d{4}-\d\d-\d\d_\d{6}_watcher-incident\.md$/,
		);
		const text = doors.files.text(path);
		for (const part of [
			"watcher pid=700 DEAD (heartbeat age=5s)",
			"pid 700, target orchestrator",
			"2026-05-11_13-42-01_ab.md",
			"line 10\n",
			"line 49",
			"old output",
		])
			expect(text).toContain(part);
		expect(text).not.toContain("line 9\n");
	});

	test("a log with fences in it cannot end its own", () => {
		const text = renderIncident({
			at: "2026-05-11T13:42:01-07:00",
			reason: "r",
			heartbeat: null,
			lastArchive: null,
			logTail: "a\n```\nb",
			paneTail: null,
		});
		expect(text).toContain("````\na\n```\nb\n````");
	});
});
