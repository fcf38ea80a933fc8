import { describe, expect, test } from "bun:test";
import {
	backgroundShells,
	hasLiveClaude,
	type ProcView,
	processView,
	readTree,
} from "../../monitor/_pane/process.ts";
import { lookAtProcess } from "../../monitor/_pane/process-look.ts";
import { fakeClock } from "../fakes/clock.ts";
import { type FakeProcess, fakeProc } from "../fakes/proc.ts";

const PANE = 100;
const CLAUDE = "/opt/node_modules/@anthropic-ai/claude-code-linux-x64/claude";
const shell = { pid: PANE, comm: "bash", exe: "/usr/bin/bash" };

function procOf(...processes: readonly FakeProcess[]) {
	return fakeProc(fakeClock(), { processes });
}
function viewOf(...processes: readonly FakeProcess[]): ProcView {
	const view = processView(procOf(...processes));
	if (view === null) throw new Error("no table");
	return view;
}

describe("a claude is known by its program, else by its name", () => {
	const cases: readonly (readonly [string, Partial<FakeProcess>, string])[] = [
		["the npm package's program", { comm: "2.1.332", exe: CLAUDE }, "yes"],
		[
			"its predecessor's folder",
			{ comm: "x", exe: "/n/@anthropic-ai/claude-code/bin/claude.exe" },
			"yes",
		],
		[
			"the native installer's",
			{ comm: "2.1.9", exe: "/home/u/.local/share/claude/versions/2.1.9" },
			"yes",
		],
		["a bare name", { comm: "x", exe: "/usr/local/bin/claude" }, "yes"],
		[
			"node that calls itself claude",
			{ comm: "claude", exe: "/usr/bin/node" },
			"yes",
		],
		[
			"its other name, where its program cannot be read",
			{ comm: "claude-code", foreign: true },
			"yes",
		],
		[
			"its name on Windows, where its program cannot be read",
			{ comm: "claude.exe", foreign: true },
			"yes",
		],
		["a program named so", { comm: "x", exe: "/opt/bin/claude-code" }, "yes"],
		["a name that only ends alike", { comm: "notclaude", foreign: true }, "no"],
		[
			"a program of another user, of another name",
			{ comm: "vim", foreign: true },
			"no",
		],
		[
			"one without a name, of a program that is none",
			{ comm: "", exe: "/usr/bin/vim" },
			"no",
		],
		["one that is being buried", { comm: "claude", state: "X" }, "no"],
		["another program", { comm: "vim", exe: "/usr/bin/vim" }, "no"],
		[
			"a name that only starts alike",
			{ comm: "claudette", exe: "/usr/bin/claudette" },
			"no",
		],
		[
			"a program of another user, by its name",
			{ comm: "claude", foreign: true },
			"yes",
		],
		["one that says nothing at all", { comm: "", foreign: true }, "unknown"],
		["a zombie", { comm: "claude", exe: CLAUDE, state: "Z" }, "no"],
	];
	test.each(cases)("%s", (_, process, live) => {
		const view = viewOf(shell, { pid: 101, ppid: PANE, ...process });
		expect(hasLiveClaude(view, PANE)).toBe(live as never);
	});
});

test("a claude that has ended since the table was read is none", () => {
	const view = viewOf(shell, { pid: 101, ppid: PANE, comm: "claude" });
	const ended: ProcView = { ...view, exe: () => ({ kind: "absent" }) };
	expect(hasLiveClaude(ended, PANE)).toBe("no");
});

test("a table that goes round in a circle ends", () => {
	const view = viewOf(
		{ ...shell, ppid: 101 },
		{ pid: 101, ppid: PANE, comm: "sh" },
	);
	expect(readTree(view, PANE)).toMatchObject({ live: "no", exists: true });
});

test("claude is looked for six layers deep and no deeper, and the nearest one counts", () => {
	const chain = (length: number) =>
		Array.from({ length }, (_, i) => ({
			pid: PANE + i,
			ppid: PANE + i - 1,
			comm: i === length - 1 ? "claude" : "sh",
			exe: i === length - 1 ? CLAUDE : "/bin/sh",
		}));
	expect(hasLiveClaude(viewOf(...chain(6)), PANE)).toBe("yes");
	expect(hasLiveClaude(viewOf(...chain(7)), PANE)).toBe("no");
	const tree = readTree(
		viewOf(
			shell,
			{ pid: 101, ppid: PANE, comm: "claude", exe: CLAUDE },
			{ pid: 102, ppid: 101, comm: "claude", exe: CLAUDE },
		),
		PANE,
	);
	expect(tree.claude?.pid).toBe(101);
});

describe("background shells", () => {
	const claude = { pid: 101, ppid: PANE, comm: "claude", exe: CLAUDE };
	const at = { bootTime: 1000, ticksPerSecond: 100 };
	const cases: readonly (readonly [string, readonly FakeProcess[], object])[] =
		[
			[
				"none: reliable zero",
				[shell, claude],
				{ reliable: true, count: 0, cpuTicks: 0, oldestStart: 0 },
			],
			[
				"one with children, whose time counts",
				[
					shell,
					claude,
					{
						pid: 110,
						ppid: 101,
						comm: "bash",
						utime: 3,
						stime: 4,
						startTicks: "500",
					},
					{ pid: 111, ppid: 110, comm: "sleep", utime: 5, stime: 0 },
					{ pid: 112, ppid: 110, comm: "sh", utime: 1, stime: 1 },
				],
				{ reliable: true, count: 1, cpuTicks: 14, oldestStart: 1005 },
			],
			[
				"two; a server of claude's is none",
				[
					shell,
					claude,
					{ pid: 110, ppid: 101, comm: "-zsh", startTicks: "900" },
					{ pid: 120, ppid: 101, comm: "sh", startTicks: "700" },
					{ pid: 130, ppid: 101, comm: "node", utime: 99 },
				],
				{ reliable: true, count: 2, cpuTicks: 0, oldestStart: 1007 },
			],
			[
				"no claude: nothing is known",
				[shell, { pid: 110, ppid: PANE, comm: "sh" }],
				{ reliable: false, count: 0, cpuTicks: 0, oldestStart: 0 },
			],
			[
				"a zombie shell is over",
				[shell, claude, { pid: 110, ppid: 101, comm: "sh", state: "Z" }],
				{ reliable: true, count: 0, cpuTicks: 0, oldestStart: 0 },
			],
		];
	test.each(cases)("%s", (_, processes, shells) => {
		expect(backgroundShells(viewOf(...processes), PANE, at)).toEqual(
			shells as never,
		);
	});
	test.each([
		["bash", 1],
		["sh", 1],
		["zsh", 1],
		["dash", 1],
		["ksh", 1],
		["fish", 1],
		["-bash", 1],
		["shfmt", 0],
		["mosh", 0],
	])("%s below claude: %i", (comm, count) => {
		const view = viewOf(shell, claude, { pid: 110, ppid: 101, comm });
		expect(backgroundShells(view, PANE, at).count).toBe(count);
	});
	test("are looked for ten layers deep and no deeper", () => {
		const below = (layers: number) => [
			shell,
			claude,
			...Array.from({ length: layers - 2 }, (_, i) => ({
				pid: 102 + i,
				ppid: 101 + i,
				comm: i === layers - 3 ? "sh" : "node",
			})),
		];
		const countIn = (layers: number) =>
			backgroundShells(viewOf(...below(layers)), PANE, at).count;
		expect([countIn(10), countIn(11)]).toEqual([1, 0]);
	});
	test("below a claude of claude's are counted, too", () => {
		const view = viewOf(
			shell,
			claude,
			{ pid: 102, ppid: 101, comm: "claude", exe: CLAUDE },
			{ pid: 110, ppid: 102, comm: "sh" },
		);
		expect(backgroundShells(view, PANE, at).count).toBe(1);
	});
	test("a start that is no number is unknown", () => {
		const odd = { pid: 110, ppid: 101, comm: "sh", startTicks: "then" };
		const view = viewOf(shell, claude, odd);
		expect(backgroundShells(view, PANE, at).oldestStart).toBe(0);
	});
	test("an unknown start is never `just now`", () => {
		const view = viewOf(shell, claude, { pid: 110, ppid: 101, comm: "sh" });
		const shells = backgroundShells(view, PANE, { ...at, bootTime: null });
		expect(shells.oldestStart).toBe(0);
	});
});

describe("a table that lacks what must exist proves nothing", () => {
	const look = (
		proc: ReturnType<typeof procOf>,
		pid: number | null,
		server?: { readonly pid: number; readonly startTime: number },
	) => {
		const doors = { proc, clock: fakeClock() };
		return lookAtProcess(doors, processView(proc), pid, server).witness;
	};
	test("tmux's own server is not in it: another container's table", () => {
		const witness = look(procOf(), PANE, { pid: 77_777, startTime: 1 });
		expect(witness).toMatchObject({ live: "unknown", blind: true });
	});
	test("it cannot be read", () => {
		const proc = procOf(shell);
		proc.tableUnreadable = true;
		// Nothing that could pass for evidence of an end.
		expect(look(proc, PANE)).toEqual({
			kind: "seen",
			pid: PANE,
			live: "unknown",
			claudePid: null,
			isStopped: false,
			exists: true,
			hasDescendant: false,
			unidentified: false,
			blind: true,
			ageSeconds: null,
		});
	});
	test("we ourselves are not in it", () => {
		const proc = procOf(shell);
		const { table } = proc;
		const others = () => {
			const read = table();
			return read.kind === "ok"
				? { ...read, value: read.value.filter((p) => p.pid !== proc.pid) }
				: read;
		};
		expect(look({ ...proc, table: others }, PANE)).toMatchObject({
			live: "unknown",
			blind: true,
		});
	});
	test("the pane's process takes a signal and is not listed", () => {
		const proc = procOf();
		const doors = { proc: { ...proc, alive: () => true }, clock: fakeClock() };
		const { witness } = lookAtProcess(doors, processView(proc), PANE);
		expect(witness).toMatchObject({ live: "unknown", blind: true });
	});
	test("a pid that is nowhere is positive: it does not exist", () => {
		expect(look(procOf(), PANE)).toMatchObject({ live: "no", exists: false });
	});
	test("no pid at all", () => {
		expect(look(procOf(), null)).toEqual({ kind: "no-pid" });
	});
});

describe("what is told of a pane whose processes are seen", () => {
	const claude = { pid: 101, ppid: PANE, comm: "claude", exe: CLAUDE };
	const lookAt = (...processes: readonly FakeProcess[]) => {
		const proc = procOf(...processes);
		const clock = fakeClock();
		return lookAtProcess({ proc, clock }, processView(proc), PANE);
	};
	test.each([
		["R", false],
		["S", false],
		["Dt", false],
		["T", true],
		["t", true],
	])("a claude in state %s stands still: %p", (state, isStopped) => {
		const { witness, session } = lookAt(shell, {
			...claude,
			state,
			startTicks: "188259",
		});
		expect(witness).toMatchObject({ live: "yes", claudePid: 101, isStopped });
		expect(session).toMatchObject({ pid: 101, startTicks: "188259" });
	});
	test("without a claude there is no session to ask", () => {
		const { witness, session } = lookAt(shell);
		expect(witness).toMatchObject({ live: "no", claudePid: null });
		expect(session).toBeNull();
	});
	test("its age is that of the pane's own process, in seconds; unknown for one that is gone", () => {
		const proc = procOf({ ...shell, startTicks: "100" });
		const clock = fakeClock();
		const boot = proc.bootTime() ?? 0;
		const started = boot + Math.floor(100 / proc.ticksPerSecond());
		const ageOf = (now: number, pid = PANE) => {
			const at = { ...clock, now: () => now };
			const { witness } = lookAtProcess(
				{ proc, clock: at },
				processView(proc),
				pid,
			);
			return witness.kind === "seen" ? witness.ageSeconds : undefined;
		};
		expect(ageOf(started + 90)).toBe(90);
		// A clock that was set back.
		expect(ageOf(started - 5)).toBe(0);
		expect(ageOf(started + 90, 777)).toBeNull();
	});
});
