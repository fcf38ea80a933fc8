import { describe, expect, test } from "bun:test";
import { PANE_STATES } from "../../monitor/_pane/types.ts";
import { parseRequest } from "../../monitor/_pane-state/request.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { NO_TMUX, REFUSED } from "../fakes/tmux.ts";
import {
	IDLE,
	PERMISSION,
	readFixture,
	run,
	runFixture,
	session,
} from "./cli-support.ts";

/** Session `0` with the windows `alpha` and `beta`, session `two` with `gamma`; a claude in each. */
function fleet(): FakeDoors {
	const doors = fakeDoors();
	const { model } = doors.tmux;
	let pid = 5000;
	for (const [name, windows] of [
		["0", ["alpha", "beta"]],
		["two", ["gamma ray"]],
	] as const) {
		const made = model.session(name);
		for (const window of windows) {
			const { pane } = model.window(made, window);
			pane.screen = readFixture(IDLE);
			doors.proc.add({ pid: pane.pid ?? 0, comm: "bash" });
			doors.proc.add({ pid: pid++, ppid: pane.pid ?? 0, comm: "claude" });
		}
	}
	return doors;
}

describe("usage errors end with exit code 2 and say nothing on stdout", () => {
	const cases: readonly (readonly string[])[] = [
		[],
		[""],
		["-h"],
		["--help"],
		["--nonsense"],
		["one", "two"],
		["--fixture"],
		["--fixture", "/not-there"],
		["--all", "--states"],
		["7", "--json"],
		["7", "--now", "soon"],
		["7", "--bg-shells", "-1"],
		["--fixture", "/x", "--active", "yes"],
	];
	test.each(cases.map((argv) => [argv]))("%j", async (argv) => {
		const answer = await run(argv, fleet());
		expect(answer).toMatchObject({ code: 2, out: [] });
		expect(answer.err[0]).toStartWith("pane-state.ts: ");
	});
});

test("--states prints the vocabulary and asks nobody", async () => {
	const doors = fleet();
	expect(await run(["--states"], doors)).toEqual({
		code: 0,
		out: PANE_STATES,
		err: [],
	});
	expect(doors.tmux.calls).toEqual([]);
});

describe("a window is found by exact comparison in our own rows", () => {
	const cases: readonly (readonly [string, string])[] = [
		["1", "window=1 name=beta"],
		["0:0", "window=0 name=alpha"],
		["two:0", "window=0 name=gamma ray"],
		["beta", "window=1 name=beta"],
		["gamma ray", "window=0 name=gamma ray"],
	];
	test.each(cases)("%s", async (target, found) => {
		const answer = await run([target], fleet());
		expect(answer).toMatchObject({ code: 0, err: [] });
		expect(answer.out).toHaveLength(1);
		expect(answer.out[0]).toContain(`state=idle active=`);
		expect(answer.out[0]).toContain(found);
	});
	test.each(["7", "0:9", "three:0", "bet", "alph", "ALPHA"])(
		"%s is none: exit code 3 and nothing on stdout",
		async (target) => {
			const answer = await run([target], fleet());
			expect(answer).toMatchObject({ code: 3, out: [] });
			expect(answer.err).toHaveLength(1);
			expect(answer.err[0]).toContain(target);
		},
	);
});

describe("--all", () => {
	test("prints one line a window of the session", async () => {
		const names = async (...argv: string[]) =>
			(await run(["--all", ...argv], fleet())).out.map(
				(l) => /name=(.*?) input/.exec(l)?.[1],
			);
		expect(await names()).toEqual(["alpha", "beta"]);
		expect(await names("two")).toEqual(["gamma ray"]);
	});
	test("without a session 0, and with none named, it shows every session; a name that is not there is no window", async () => {
		const doors = fleet();
		const { model } = doors.tmux;
		model.sessions = model.sessions.map((session) =>
			session.name === "0" ? { ...session, name: "main" } : session,
		);
		expect((await run(["--all"], doors)).out).toHaveLength(3);
		expect(await run(["--all", "three"], doors)).toEqual({
			code: 3,
			out: [],
			err: ["pane-state.ts: no window in session three"],
		});
	});
	test.each([NO_TMUX, REFUSED])(
		"without tmux it fails: %j",
		async (failure) => {
			const doors = fleet();
			doors.tmux.fail("panes", failure);
			expect(await run(["--all"], doors)).toMatchObject({ code: 1, out: [] });
		},
	);
});

describe("tmux that cannot be asked is no evidence", () => {
	test("not installed: a line", async () => {
		const doors = fleet();
		doors.tmux.fail("panes", NO_TMUX);
		const answer = await run(["7"], doors);
		expect(answer).toEqual({
			code: 0,
			out: [
				"state=unknown active=0 window=7 name=? reason=no-tmux site=gather",
			],
			err: [],
		});
	});
	test("it does not answer about a name: exit code 2", async () => {
		const doors = fleet();
		doors.tmux.fail("panes", REFUSED);
		expect(await run(["alpha"], doors)).toMatchObject({ code: 2, out: [] });
	});
});

describe("the liveness gate answers before the screen is read", () => {
	const gate = async (flags: readonly string[], bootGrace: number) => {
		const doors = fakeDoors();
		doors.files.seed("/s.ansi", readFixture(IDLE));
		doors.files.seed(
			"/hb.json",
			JSON.stringify({ state: "busy", last_activity: doors.clock.now() }),
		);
		const booted =
			(doors.clock.now() - (doors.proc.bootTime() ?? 0) - 20) * 100;
		doors.proc.add({
			pid: 60,
			comm: "sleep",
			exe: "/bin/sleep",
			startTicks: `${booted}`,
		});
		doors.proc.add({
			pid: 70,
			comm: "sh",
			exe: "/bin/sh",
			startTicks: `${booted}`,
		});
		doors.proc.add({ pid: 71, ppid: 70, comm: "claude", state: "Z" });
		const argv = [
			"--fixture",
			"/s.ansi",
			"--heartbeat-file",
			"/hb.json",
			...flags,
		];
		return (await run(argv, doors, bootGrace)).out[0];
	};
	const head = "active=0 window=0 name=fixture";
	const cases: readonly (readonly [string, string, number, string])[] = [
		["a pid that is gone", "424", 90, `state=absent ${head} evidence=pid-gone`],
		[
			"a live sleep, long enough",
			"60",
			0,
			`state=absent ${head} evidence=tree-empty-past-grace`,
		],
		[
			"a live sleep, just started",
			"60",
			90,
			`state=unknown ${head} reason=boot-grace site=liveness-gate`,
		],
		[
			"only a zombie of that name",
			"70",
			0,
			`state=absent ${head} evidence=tree-empty-past-grace`,
		],
	];
	test.each(cases)("%s", async (_, pid, bootGrace, line) => {
		expect(await gate(["--pane-pid", pid], bootGrace)).toBe(line);
	});
});

describe("--explain", () => {
	test("tells every witness, every rule with its evidence, the winner and the line", async () => {
		const { answer } = await runFixture({
			screen: PERMISSION,
			heartbeat: { state: "busy", last_activity: 2_000_000_000 - 41 },
			flags: ["--explain"],
		});
		expect(answer.out[0]?.split("\n")).toEqual([
			"  process: says nothing (no pid given)",
			"  session: says nothing (no session file)",
			"  heartbeat: says nothing (state busy, age 41 s, horizon 30 s)",
			"  stamp: says nothing (no over-limit stamp)",
			"> screen: blocked (captured just now)",
			"  dialog permission by permission — Do you want to proceed?",
			"  dialog dialog by structural — ❯ 1. Yes",
			"> rung 2: a live dialog on the screen — Do you want to proceed?",
			"  rung 12: no box — fixture-no-process",
			expect.stringContaining(
				"state=blocked active=0 window=0 name=w overlay=permission",
			),
		]);
	});
	test("as JSON it is one object a pane on one line", async () => {
		const { answer } = await runFixture({
			session: session({
				status: "waiting",
				waitingFor: "input needed",
				statusUpdatedAt: 5,
			}),
			flags: ["--explain", "--json"],
		});
		expect(answer.out).toHaveLength(1);
		expect(answer.out[0]).not.toContain("\n");
		const record = JSON.parse(answer.out[0] ?? "");
		expect(record).toMatchObject({
			v: 1,
			target: { session: null, window: "0", name: "w", pane: null },
			now: 2_000_000_000,
			state: "blocked",
			winner: { rung: 3, witness: "session" },
			conflicts: [{ winner: "session:blocked", loser: "screen:idle" }],
		});
		expect(record.witnesses.map((w: { name: string }) => w.name)).toEqual([
			"process",
			"session",
			"heartbeat",
			"stamp",
			"screen",
		]);
		expect(record.witnesses[1]).toMatchObject({
			says: "blocked",
			fresh: true,
			pid: 4821,
			status: "waiting",
			waitingFor: "input needed",
			version: "2.1.332",
			statusUpdatedAt: 5,
		});
		expect(record.witnesses[4]).toMatchObject({
			says: "idle",
			input: "blank",
			overlay: null,
			queue: false,
		});
	});
});

test("a target is an index only when it is digits, alone or behind a session", () => {
	const targetOf = (text: string) => {
		const request = parseRequest([text]);
		return request.kind === "target" ? request.target : request;
	};
	expect(targetOf("a:b:3")).toEqual({
		kind: "index",
		session: "a:b",
		index: 3,
	});
	expect(targetOf("w1.2")).toEqual({ kind: "name", name: "w1.2" });
	expect(targetOf("3d")).toEqual({ kind: "name", name: "3d" });
});
