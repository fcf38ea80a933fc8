import { describe, expect, test } from "bun:test";
import {
	type ReapOutcome,
	reapGroup,
} from "../../monitor/_liveness/reap-group.ts";
import {
	checkWatcher,
	listWatcherGroups,
	scriptOf,
	type WatcherIdentity,
	watcherIdentity,
} from "../../monitor/_liveness/watcher-process.ts";
import { membersOf } from "../../monitor/_sys/process-group.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import type { FakeProcess } from "../fakes/proc.ts";

const MAIN = "/code/monitor/watcher/main.ts";
const STATE = "/root/monitor/.state";
const ARGV = ["/opt/bun.exe", "--no-env-file", "--no-install", MAIN];
const ENVIRON = { NEXUS_STATE_DIR: STATE, NEXUS_ROOT: "/root" };
const OURS: FakeProcess = { pid: 700, argv: ARGV, environ: ENVIRON };

function world(...processes: FakeProcess[]): {
	doors: FakeDoors;
	identity: WatcherIdentity;
} {
	const doors = fakeDoors({ proc: { processes }, auto: true });
	doors.files.seed(MAIN, "");
	doors.files.seedDir(STATE);
	return { doors, identity: watcherIdentity(doors.files, STATE, "/code") };
}

describe("a process is the watcher of this state dir", () => {
	for (const [rule, process, check] of [
		["bun, our script, our state dir", OURS, "live"],
		[
			"started by its shebang",
			{ ...OURS, argv: ["bun", "--no-install", MAIN] },
			"live",
		],
		[
			"relative script below its own folder",
			{ ...OURS, argv: ["bun", "monitor/watcher/main.ts"], cwd: "/code" },
			"live",
		],
		[
			"relative script below another folder",
			{ ...OURS, argv: ["bun", "monitor/watcher/main.ts"], cwd: "/other" },
			"other",
		],
		[
			"script through a symlink to the checkout",
			{ ...OURS, argv: ["bun", "/link/monitor/watcher/main.ts"] },
			"live",
		],
		[
			"state dir by NEXUS_ROOT alone",
			{ ...OURS, environ: { NEXUS_ROOT: "/root" } },
			"live",
		],
		[
			"another state dir",
			{ ...OURS, environ: { NEXUS_STATE_DIR: "/demo/.state" } },
			"other",
		],
		["no state dir named", { ...OURS, environ: {} }, "other"],
		[
			"another checkout's main.ts",
			{ ...OURS, argv: ["bun", "/fork/monitor/watcher/main.ts"] },
			"other",
		],
		[
			"a path that merely ends like ours",
			{ ...OURS, argv: ["bun", `${MAIN}x`] },
			"other",
		],
		[
			"an agent whose prompt quotes the path",
			{ ...OURS, argv: ["claude", "-p", MAIN] },
			"other",
		],
		["an editor on the file", { ...OURS, argv: ["vim", MAIN] }, "other"],
		["bun run", { ...OURS, argv: ["bun", "run", MAIN] }, "other"],
		["a recycled pid", { pid: 700, argv: ["sleep", "9"] }, "other"],
		["a zombie", { ...OURS, state: "Z" }, "dead"],
		["nothing readable", { pid: 700, foreign: true }, "unreadable"],
	] as const)
		test(`${rule} → ${check}`, () => {
			const { doors, identity } = world(process);
			doors.files.seedLink("/code", "/link");
			expect(checkWatcher(doors, 700, identity)).toBe(check);
		});

	test("an environment that cannot be read leaves it alive", () => {
		const { doors, identity } = world(OURS);
		doors.proc.environ = () => ({ kind: "unknown", reason: "EACCES" });
		expect(checkWatcher(doors, 700, identity)).toBe("unreadable");
	});

	test("a pid that is gone, 0, 1 or negative is dead", () => {
		const { doors, identity } = world();
		for (const pid of [700, 0, 1, -1])
			expect(checkWatcher(doors, pid, identity)).toBe("dead");
	});
});

describe("the script of a process", () => {
	for (const [argv, script] of [
		[["bun", "a.ts"], "a.ts"],
		[["/x/bun.exe", "--config=/dev/null", "a.ts", "--once"], "a.ts"],
		[["node", "a.ts"], null],
		[["bun", "--version"], null],
		[[], null],
	] as const)
		test(`${JSON.stringify(argv)} → ${script}`, () => {
			expect(scriptOf(argv)).toBe(script);
		});
});

describe("the groups of watchers", () => {
	test("gathers ours by group and says whether the leader lives", () => {
		const { doors, identity } = world(
			OURS,
			{ ...OURS, pid: 701, pgid: 700 },
			{ ...OURS, pid: 801, pgid: 800 },
			{ ...OURS, pid: 901, environ: { NEXUS_ROOT: "/demo" } },
			{ pid: 902, foreign: true },
		);
		expect(listWatcherGroups(doors, identity)).toEqual({
			kind: "ok",
			value: [
				{ pgid: 700, leader: "live", members: [700, 701], unverified: [] },
				{ pgid: 800, leader: "dead", members: [801], unverified: [] },
			],
		});
	});

	test("a child of the watcher between fork and exec is no second watcher", () => {
		const { doors, identity } = world(OURS, { ...OURS, pid: 701, ppid: 700 });
		expect(listWatcherGroups(doors, identity)).toMatchObject({
			value: [{ pgid: 700, members: [700] }],
		});
	});

	test("a zombie leads nothing", () => {
		const { doors, identity } = world(
			{ ...OURS, pid: 800, state: "Z" },
			{ ...OURS, pid: 801, pgid: 800 },
		);
		expect(listWatcherGroups(doors, identity)).toMatchObject({
			value: [{ pgid: 800, leader: "dead", members: [801] }],
		});
	});

	test("keeps apart who runs our script and cannot be read further", () => {
		const { doors, identity } = world(OURS);
		doors.proc.environ = () => ({ kind: "unknown", reason: "EACCES" });
		expect(listWatcherGroups(doors, identity)).toMatchObject({
			value: [{ pgid: 700, members: [], unverified: [700] }],
		});
	});

	test("an unreadable process table is no information", () => {
		const { doors, identity } = world(OURS);
		doors.proc.tableUnreadable = true;
		expect(listWatcherGroups(doors, identity).kind).toBe("unknown");
	});
});

describe("reaping a group", () => {
	const cases: readonly {
		readonly rule: string;
		readonly processes: readonly FakeProcess[];
		readonly pgid?: number;
		readonly kind: ReapOutcome["kind"];
		readonly signals: readonly ("SIGTERM" | "SIGKILL")[];
	}[] = [
		{
			rule: "TERM is enough for one that listens",
			processes: [OURS, { pid: 701, pgid: 700, argv: ["git", "status"] }],
			kind: "reaped",
			signals: ["SIGTERM"],
		},
		{
			rule: "the leader's exit is not the end: a child that ignores TERM gets KILL",
			processes: [
				OURS,
				{ pid: 701, pgid: 700, argv: ["git"], survives: ["SIGTERM"] },
			],
			kind: "reaped",
			signals: ["SIGTERM", "SIGKILL"],
		},
		{
			rule: "who survives KILL is reported",
			processes: [{ ...OURS, survives: ["SIGTERM", "SIGKILL"] }],
			kind: "survivors",
			signals: ["SIGTERM", "SIGKILL"],
		},
		{
			rule: "a group without a proven member is not signalled",
			processes: [{ pid: 700, argv: ["git", "status"] }],
			kind: "unverified",
			signals: [],
		},
		{
			rule: "another state dir's watcher is not signalled",
			processes: [{ ...OURS, environ: { NEXUS_ROOT: "/demo" } }],
			kind: "unverified",
			signals: [],
		},
		{
			rule: "an empty group is done",
			processes: [],
			kind: "empty",
			signals: [],
		},
		{
			rule: "a group of zombies is empty",
			processes: [{ ...OURS, state: "Z" }],
			kind: "empty",
			signals: [],
		},
		{
			rule: "groups 0 and 1 are never signalled",
			processes: [OURS],
			pgid: 1,
			kind: "refused",
			signals: [],
		},
		{
			rule: "nor is our own",
			processes: [OURS],
			pgid: 4242,
			kind: "refused",
			signals: [],
		},
	];
	for (const c of cases)
		test(c.rule, async () => {
			const { doors, identity } = world(...c.processes);
			const outcome = await reapGroup(doors, c.pgid ?? 700, 10, identity);
			expect(outcome.kind).toBe(c.kind);
			expect(doors.proc.signals.map((s) => s.sig)).toEqual([...c.signals]);
			expect(doors.proc.signals.every((s) => s.pid === -700)).toBe(true);
		});

	test("waits the given seconds before KILL", async () => {
		const { doors, identity } = world({ ...OURS, survives: ["SIGTERM"] });
		const start = doors.clock.monoMs();
		await reapGroup(doors, 700, 10, identity);
		expect(doors.clock.monoMs() - start).toBe(10_000);
	});

	test("a group id that was given away meanwhile is not killed", async () => {
		const { doors, identity } = world({ ...OURS, survives: ["SIGTERM"] });
		const ended = reapGroup(doors, 700, 0, identity);
		doors.proc.add({ pid: 700, argv: ["psql"], startTicks: "999999" });
		expect((await ended).kind).toBe("survivors");
		expect(doors.proc.signals.map((s) => s.sig)).toEqual(["SIGTERM"]);
	});

	test("without a process table nothing is signalled", async () => {
		const { doors, identity } = world(OURS);
		doors.proc.tableUnreadable = true;
		expect((await reapGroup(doors, 700, 10, identity)).kind).toBe("refused");
		expect(membersOf(doors, 700)).toBeNull();
		expect(doors.proc.signals).toEqual([]);
	});
});
