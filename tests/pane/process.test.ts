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
		expect(look(proc, PANE)).toMatchObject({ live: "unknown", blind: true });
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
