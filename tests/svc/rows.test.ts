import { describe, expect, test } from "bun:test";
import type { Verdict } from "../../monitor/_liveness/verdict.ts";
import type { StackFacts } from "../../monitor/_svc/cockpit/facts.ts";
import {
	buildRows,
	coreRows,
	exitCodeFor,
	fmtAge,
	targetRow,
} from "../../monitor/_svc/cockpit/rows.ts";
import { renderTable } from "../../monitor/_svc/cockpit/table.ts";

const UP: Verdict = {
	state: "UP",
	rc: 0,
	bucket: 0,
	pid: 700,
	heartbeatAge: 5,
	progressAge: 3,
	cycleAge: 4320,
	periodSeconds: 61,
	wedgeCutoff: 900,
	reason: "heartbeat fresh (age=5s)",
};
const GROUP = {
	pgid: 700,
	leader: "live",
	members: [700],
	unverified: [],
} as const;
const FACTS: StackFacts = {
	now: 1000,
	stateDir: "/root/monitor/.state",
	registry: "/root/monitor/services.registry",
	fs: { kind: "ok" },
	verdict: UP,
	pidLives: true,
	stopped: false,
	groups: [GROUP],
	supervisorBeatAt: 990,
	supervisorStaleSeconds: 90,
	target: "orchestrator",
	targetPresence: "up",
	turnEndAt: 700,
	diesAtStart: false,
	services: { kind: "absent" },
};
const verdict = (over: Partial<Verdict>): Partial<StackFacts> => ({
	verdict: { ...UP, ...over },
});

test("the rows stand in their order, with key, status, supervisor and detail", () => {
	const shown = buildRows(FACTS).map((r) => [
		r.key,
		r.name,
		r.status,
		r.supervisor,
		r.detail,
	]);
	expect(shown).toEqual([
		["", "fs", "OK", "", "/root/monitor/.state"],
		[
			"0",
			"watcher",
			"UP",
			"pid:700",
			"heartbeat 5s ago, loop 61s, target orchestrator",
		],
		["-", "watcher-sup", "ARMED", "monitor", "last look 10s ago"],
		["-", "orchestrator", "UP", "watcher", "last turn 5m ago"],
	]);
});

describe("a row says", () => {
	const cases: readonly (readonly [
		string,
		Partial<StackFacts>,
		string,
		readonly string[],
	])[] = [
		[
			"a loop that was not measured yet",
			verdict({ periodSeconds: 0 }),
			"watcher",
			["UP", "loop not measured yet"],
		],
		[
			"slow, not down",
			verdict({ state: "BUSY" }),
			"watcher",
			["BUSY", "progress 3s ago, cycle 1h12m ago: slow, not down"],
		],
		[
			"how to revive a wedged one",
			verdict({ state: "WEDGED" }),
			"watcher",
			["WEDGED", "monitor/revive-watcher.ts"],
		],
		[
			"why it is down",
			verdict({ state: "DOWN", reason: "no heartbeat file" }),
			"watcher",
			["DOWN", "no heartbeat file"],
		],
		[
			"that it was stopped on purpose",
			{ ...verdict({ state: "DOWN" }), stopped: true },
			"watcher",
			["stopped on purpose"],
		],
		[
			"no pid for one that is not proven",
			{ pidLives: false },
			"watcher",
			["-"],
		],
		[
			"that the disk takes no writes",
			{ fs: { kind: "failed", code: "EROFS", reason: "EROFS: read-only" } },
			"fs",
			["READ-ONLY", "EROFS: read-only"],
		],
		[
			"two groups",
			{ groups: [GROUP, { ...GROUP, pgid: 800 }] },
			"watcher-dup",
			["!", "DUP", "2x", "700, 800"],
		],
		[
			"a group without a leader",
			{ groups: [{ ...GROUP, leader: "dead" }] },
			"watcher-orphan",
			["!", "DECAP", "-", "700"],
		],
		[
			"a supervisor that is late",
			{ supervisorBeatAt: 909 },
			"watcher-sup",
			["UNARMED", "-", "last look 91s ago"],
		],
		[
			"a supervisor that never was",
			{ supervisorBeatAt: null },
			"watcher-sup",
			["UNARMED", "never armed"],
		],
		[
			"a missing target",
			{ targetPresence: "down", turnEndAt: null },
			"orchestrator",
			["DOWN", "no turn-end heartbeat"],
		],
		[
			"that tmux could not be asked",
			{ targetPresence: "unknown" },
			"orchestrator",
			["UNKNOWN", "tmux does not answer"],
		],
	];
	for (const [rule, over, name, parts] of cases)
		test(rule, () => {
			const row = buildRows({ ...FACTS, ...over }).find((r) => r.name === name);
			const text = [row?.key, row?.status, row?.supervisor, row?.detail].join(
				" | ",
			);
			for (const part of parts) expect(text).toContain(part);
		});
});

test("red are a disk that takes no writes, a watcher that is down or wedged, a second or headless one, and a missing target", () => {
	const red = (over: Partial<StackFacts>) =>
		buildRows({ ...FACTS, ...over })
			.filter((r) => r.alarming)
			.map((r) => `${r.name} ${r.status}`);
	expect(red({})).toEqual([]);
	expect(red(verdict({ state: "BUSY" }))).toEqual([]);
	expect(red({ targetPresence: "unknown" })).toEqual([]);
	expect(red({ fs: { kind: "failed", code: "EROFS", reason: "" } })).toEqual([
		"fs READ-ONLY",
	]);
	for (const state of ["DOWN", "WEDGED"] as const)
		expect(red(verdict({ state }))).toEqual([`watcher ${state}`]);
	const headless = { ...GROUP, pgid: 900, leader: "dead" } as const;
	expect(red({ groups: [GROUP, { ...GROUP, pgid: 800 }, headless] })).toEqual([
		"watcher-dup DUP",
		"watcher-orphan DECAP",
	]);
	expect(red({ targetPresence: "down" })).toEqual(["orchestrator DOWN"]);
});

test("a watcher that nobody stopped is not said to be stopped", () => {
	const { detail } = buildRows({
		...FACTS,
		...verdict({ state: "DOWN" }),
	}).find((r) => r.name === "watcher") ?? { detail: "" };
	expect(detail).toBe("heartbeat fresh (age=5s)");
	const never = { state: "WEDGED", progressAge: null } as const;
	expect(
		buildRows({ ...FACTS, ...verdict(never) }).find((r) => r.name === "watcher")
			?.detail,
	).toContain("progress ? ago");
});

describe("the exit code", () => {
	const RO = { fs: { kind: "failed", code: "EROFS", reason: "" } } as const;
	for (const [rule, over, exit] of [
		["well", {}, 0],
		["down alone is no failure of the display", verdict({ state: "DOWN" }), 0],
		["two groups", { groups: [GROUP, { ...GROUP, pgid: 800 }] }, 6],
		["a leaderless one", { groups: [{ ...GROUP, leader: "dead" }] }, 6],
		["no process table", { groups: null }, 0],
		[
			"a read-only disk outranks them",
			{ ...RO, groups: [GROUP, { ...GROUP, pgid: 800 }] },
			1,
		],
	] as const)
		test(`${rule} → ${exit}`, () => {
			expect(exitCodeFor(coreRows({ ...FACTS, ...over }))).toBe(exit);
		});
});

describe("ages", () => {
	for (const [seconds, text] of [
		[-5, "0s"],
		[119, "119s"],
		[120, "2m"],
		[3599, "59m"],
		[4320, "1h12m"],
		[7200, "2h00m"],
	] as const)
		test(`${seconds} → ${text}`, () => {
			expect(fmtAge(seconds)).toBe(text);
		});
});

describe("the table", () => {
	const head = { iso: "2026-05-11T13:42:01-07:00", registry: "/reg" };

	test("has two header lines, a blank one, and columns that fit the widest name", () => {
		expect(renderTable(head, buildRows(FACTS), false)).toEqual([
			"nexus service cockpit  2026-05-11 13:42:01",
			"registry: /reg",
			"",
			" #  SERVICE      STATUS   SUPERVISOR DETAIL",
			"    fs           OK                  /root/monitor/.state",
			" 0  watcher      UP       pid:700    heartbeat 5s ago, loop 61s, target orchestrator",
			" -  watcher-sup  ARMED    monitor    last look 10s ago",
			" -  orchestrator UP       watcher    last turn 5m ago",
		]);
		const wide = { ...FACTS, target: "a-very-long-window-name" };
		for (const line of renderTable(head, buildRows(wide), false).slice(3))
			expect(line.slice(4, 27).trimEnd()).toMatch(/^\S+$/);
	});

	test("a read-only disk says below its row that the rest is stale, red on a terminal only", () => {
		const rows = coreRows({
			...FACTS,
			fs: { kind: "failed", code: "EROFS", reason: "EROFS" },
		});
		const plain = renderTable(head, rows, false).join("\n");
		expect(plain).toContain("every row below is stale");
		expect(plain).toContain("restart from outside");
		expect(plain).not.toContain("\u001b");
		expect(renderTable(head, rows, true).join("\n")).toContain("\u001b[31m");
	});

	test("a detail cannot steer the terminal", () => {
		const rows = coreRows({
			...FACTS,
			...verdict({ state: "DOWN", reason: "a\u001b[2Jb\nc" }),
		});
		expect(renderTable(head, rows, false).join("|")).toContain("a?[2Jb?c");
	});
});

test("an orchestrator that is down says so when it ended right after each start", () => {
	const notes = (over: Partial<StackFacts>) =>
		targetRow({ ...FACTS, diesAtStart: true, ...over }).notes;
	expect(notes({ targetPresence: "down" })).toEqual([
		"it ended right after each start: watcher.log has its last words",
	]);
	expect(notes({ targetPresence: "up" })).toEqual([]);
	expect(notes({ targetPresence: "down", diesAtStart: false })).toEqual([]);
});
