import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { targetOf } from "../../monitor/_retire/args.ts";
import { findWindow, runRetirePreflight } from "../../monitor/_retire/run.ts";
import { appendEvent } from "../../monitor/_state/action-log-append.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { paneRow } from "../fakes/tmux-model.ts";

const S = "/root/monitor/.state";
const OWN = "11111111-0000-4000-8000-000000000001";
const OTHER = "22222222-0000-4000-8000-000000000002";

/** A machine with a window `w`, whose state is told by `--pane-state`. */
function machine(
	env: Readonly<Record<string, string>> = {},
	configured = "",
): FakeDoors {
	const doors = fakeDoors({
		auto: true,
		proc: { env: { NEXUS_ROOT: "/root", ...env } },
	});
	doors.files.seedDir(S);
	if (configured !== "") doors.files.seed("/root/config/nexus.yml", configured);
	doors.tmux.window("w");
	return doors;
}
async function preflight(doors: FakeDoors, ...argv: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const rc = await runRetirePreflight(argv, {
		doors,
		codeRoot: "/code",
		out: (line) => out.push(line),
		err: (line) => err.push(line),
	});
	return { rc, out: out.join("\n"), err: err.join("\n") };
}
const asked = (doors: FakeDoors, state: string, ...more: string[]) =>
	preflight(doors, "w", "--pane-state", state, ...more);

type Prepare = (doors: FakeDoors) => void;
/** A prompt was submitted in `w` so many seconds ago. */
function submitted(ago: number, sid = OTHER): Prepare {
	return ({ files, clock }) =>
		files.seed(`${S}/user-prompt/w`, `${clock.now() - ago}\t${sid}\n`);
}
/** We typed so many seconds ago. */
function typed(ago: number, unit = 1, window = "w"): Prepare {
	return ({ files, clock }) => {
		const stamp = (clock.now() - ago) * unit;
		files.append(
			`${S}/machine-input.tsv`,
			`${window}\t${stamp}\tpaste-followup\n`,
		);
	};
}
/** The window was started with a session of its own. */
const spawned: Prepare = ({ files }) =>
	files.seed(`${S}/windows/w.json`, `{"session_id":"${OWN}"}`);
/** An event of `w`, 10 s ago. */
function logged(event: string): Prepare {
	return ({ files, clock }) => {
		const ago = { ...clock, iso: () => clock.iso(clock.now() - 10) };
		const extras = [["window", "w"]] as const;
		appendEvent({ files, clock: ago }, S, { agent: "monitor", event, extras });
	};
}

describe("the orchestrator's and the cockpit's windows are never retired", () => {
	const NAMES = `github: {repo: a/b, user_login: me}
monitor: {target_window: boss, services_window: cockpit}
`;
	test.each([
		["", "orchestrator", "the window of the orchestrator"],
		["", "services", "the window of the cockpit"],
		[NAMES, "boss", "the window of the orchestrator"],
		[NAMES, "cockpit", "the window of the cockpit"],
	])("configured %p: %s", async (configured, window, whose) => {
		const doors = machine({}, configured);
		doors.tmux.window(window);
		for (const state of ["idle", "absent"]) {
			const got = await preflight(doors, window, "--pane-state", state);
			expect(got.rc).toBe(1);
			expect(got.out).toBe(
				`safe=0 window=${window} pane=${state} reason=this is ${whose}`,
			);
		}
	});

	test("a name that is not configured any more is a worker's", async () => {
		const doors = machine({}, NAMES);
		doors.tmux.window("orchestrator");
		const got = await preflight(doors, "orchestrator", "--pane-state", "idle");
		expect(got.rc).toBe(0);
	});
});

describe("the pane decides next, and denies by default", () => {
	test.each([
		["idle", 0, ""],
		["autosuggest-only", 0, ""],
		["idle-orphan-async", 0, ""],
		["absent", 0, ""],
		["busy", 1, "active"],
		["user-typing", 1, "reason=somebody is typing in the pane"],
		["blocked", 1, "active"],
		["working-background", 1, "active"],
		["working-self-paced", 1, "active"],
		["over-limit", 1, "active"],
		["idle queued=1", 1, "active"],
		["empty", 1, "indeterminate"],
		["unknown", 1, "indeterminate"],
		["some-new-state", 1, "indeterminate"],
		["idle conflict=session:idle/screen:busy", 1, "indeterminate: conflict="],
		["idle menu=1", 1, "indeterminate: menu=1"],
		["idle conflict=a/b menu=1", 1, "indeterminate: conflict=a/b menu=1"],
		["empty conflict=a/b", 1, "indeterminate: it proves nothing"],
		["busy conflict=session:busy/screen:idle", 1, "active"],
	])("%s: exit %i %s", async (state, rc, reason) => {
		const ran = await asked(machine(), state);
		expect(ran.rc).toBe(rc as 0);
		const [word] = state.split(" ");
		expect(ran.out).toStartWith(
			`safe=${rc === 0 ? 1 : 0} window=w pane=${word} reason=`,
		);
		expect(ran.out).toContain(reason);
	});
});

describe("a submit of the operator", () => {
	const cases: readonly (readonly [string, number, Prepare[], string[]])[] = [
		["none", 0, [], []],
		["9 s ago, no input of ours", 1, [submitted(9)], []],
		["9 s ago, ours 10 s ago", 0, [submitted(9), typed(10)], []],
		[
			"9 s ago, ours 109 s ago: inside the slack",
			0,
			[submitted(9), typed(109)],
			[],
		],
		[
			"9 s ago, ours 130 s ago: past the slack",
			1,
			[submitted(9), typed(130)],
			[],
		],
		[
			"9 s ago, ours 129 s ago: the slack's last second",
			0,
			[submitted(9), typed(129)],
			[],
		],
		[
			"9 s ago, ours 10 s ago in microseconds",
			0,
			[submitted(9), typed(10, 1e6)],
			[],
		],
		[
			"9 s ago, ours from a clock that was an hour ahead",
			1,
			[submitted(9), typed(-3600)],
			[],
		],
		[
			"9 s ago, ours into another window",
			1,
			[submitted(9), typed(10, 1, "w2")],
			[],
		],
		["10 minutes ago", 1, [submitted(600)], []],
		["longer ago", 0, [submitted(601)], []],
		["2 hours ago", 0, [submitted(7200)], []],
		[
			"2 hours ago, asked for longer",
			1,
			[submitted(7200)],
			["--fresh-seconds", "99999"],
		],
		["9 s ago, by its own session", 0, [submitted(9, OWN), spawned], []],
		[
			"9 s ago, by another session than its own",
			1,
			[submitted(9), spawned],
			[],
		],
		[
			"9 s ago, the window was spawned 10 s ago",
			0,
			[submitted(9), logged("spawn")],
			[],
		],
		[
			"9 s ago, our follow-up came 10 s ago",
			0,
			[submitted(9), logged("paste-followup")],
			[],
		],
		[
			"a stamp that is no stamp",
			1,
			[(d) => d.files.seed(`${S}/user-prompt/w`, "\0\0")],
			[],
		],
	];
	test.each(cases)("%s: exit %i", async (_name, rc, prepare, more) => {
		const doors = machine();
		for (const step of prepare) step(doors);
		const ran = await asked(doors, "idle", ...more);
		expect(ran.rc).toBe(rc as 0);
		if (rc === 1) expect(ran.out).toMatch(/reason=.*submit/);
	});

	test("counts as long as the environment, else the configuration says", async () => {
		const doors = machine({ MONITOR_RETIRE_PREFLIGHT_FRESH_SECONDS: "5" });
		submitted(9)(doors);
		expect((await asked(doors, "idle")).rc).toBe(0);
		const other = machine({
			MONITOR_OPERATOR_ENGAGED_CHANGE_TTL_SECONDS: "8",
		});
		submitted(9)(other);
		expect((await asked(other, "idle")).rc).toBe(0);
	});

	test("is measured at the given moment", async () => {
		const doors = machine();
		submitted(9)(doors);
		const later = String(doors.clock.now() + 700);
		expect((await asked(doors, "idle", "--now", later)).rc).toBe(0);
	});
});

describe("the operator's mark", () => {
	test.each([
		[30, 1],
		[3000, 0],
	])("holds while the pane changed %i s ago: exit %i", async (ago, rc) => {
		const doors = machine();
		const now = doors.clock.now();
		const since = now - 1000;
		doors.files.seed(
			`${S}/operator-engaged.tsv`,
			`w\t${since}\t${since}\t${since}\tsubmit\t0\n`,
		);
		doors.files.seed(`${S}/pane-change/w`, `h\t${now - ago}\n`);
		const ran = await asked(doors, "idle");
		expect(ran.rc).toBe(rc as 0);
		if (rc === 1)
			expect(ran.out).toContain("reason=the operator is engaged in this");
	});

	test.each(["spawn", "engaged-done"])(
		"does not outlive the window's next %s",
		async (event) => {
			const doors = machine();
			const now = doors.clock.now();
			const row = (since: number) =>
				doors.files.seed(
					`${S}/operator-engaged.tsv`,
					`w\t${since}\t${since}\t${since}\tsubmit\t0\n`,
				);
			doors.files.seed(`${S}/pane-change/w`, `h\t${now - 9}\n`);
			logged(event)(doors);
			row(now - 11);
			expect((await asked(doors, "idle")).rc).toBe(0);
			row(now - 9);
			expect((await asked(doors, "idle")).rc).toBe(1);
		},
	);

	test.each([
		["", 1],
		["\0\0\0", 1],
		["v\t5\t5\t5\tsubmit\t0\nw\t17", 1],
		["v\t5\t5\t5\tsubmit\t0\n", 0],
		["vw\t5\t5\t5\tsubmit\t0\n", 0],
	])("in a file that says %j: exit %i", async (text, rc) => {
		const doors = machine();
		doors.files.seed(`${S}/operator-engaged.tsv`, text);
		const ran = await asked(doors, "idle");
		expect(ran.rc).toBe(rc as 0);
		if (rc === 1) expect(ran.out).toContain("is damaged");
	});

	test("is not needed where the operator has just submitted: that is the reason", async () => {
		const doors = machine();
		const now = doors.clock.now();
		doors.files.seed(
			`${S}/operator-engaged.tsv`,
			`w\t${now - 9}\t${now - 9}\t${now - 9}\tsubmit\t0\n`,
		);
		doors.files.seed(`${S}/pane-change/w`, `h\t${now - 9}\n`);
		doors.files.seed(`${S}/user-prompt/w`, `${now - 9}\ts1\n`);
		expect((await asked(doors, "idle")).out).toContain(
			"reason=fresh operator submit 9s ago",
		);
	});
});

describe("a review that is not over", () => {
	function pending(age = 10): Prepare {
		return ({ files, clock }) =>
			files.seed(`${S}/skeptic/pending/w`, "0\n", { mtime: clock.now() - age });
	}
	function requested(age: number): Prepare {
		const request = "---\nrequest: r\norigin: w\nkind: spawn-skeptic\n---\n";
		return ({ files, clock }) =>
			files.seed(`${S}/requests/r.claimed.md`, request, {
				mtime: clock.now() - age,
			});
	}
	const window =
		(name: string, dead = "0"): Prepare =>
		({ tmux }) => {
			tmux.window(name).pane.dead = dead;
		};
	const reviewerStarted: Prepare = (doors) =>
		appendEvent(doors, S, {
			agent: "monitor",
			event: "skeptic-spawn",
			extras: [
				["window", "look"],
				["target-window", "x"],
				["orig-window", "w"],
			],
		});
	const cases: readonly (readonly [string, 0 | string, Prepare[]])[] = [
		["fresh marker, nobody there, nobody asked for", 0, [pending()]],
		["fresh marker, asked for long ago", 0, [pending(), requested(700)]],
		[
			"fresh marker, asked for just in time",
			"a reviewer was asked for",
			[pending(), requested(600)],
		],
		[
			"fresh marker, asked for just now",
			"a reviewer was asked for and may still come",
			[pending(), requested(100)],
		],
		["marker of the last moment, nobody there", 0, [pending(600)]],
		[
			"old marker, nobody there",
			"nobody has touched its marker",
			[pending(700)],
		],
		[
			"a live window named after it",
			"the reviewer is at work",
			[pending(), window("w-skeptic")],
		],
		["only the corpse of one", 0, [pending(), window("w-skeptic", "1")]],
		[
			"the reviewer that was started for it lives",
			"the reviewer is at work",
			[pending(), window("look"), reviewerStarted],
		],
		[
			"the reviewer that was started for it is gone",
			0,
			[pending(), reviewerStarted],
		],
		[
			"tmux cannot be asked",
			"whether a reviewer lives could not be asked",
			[pending(), (d) => d.tmux.fail("panes", REFUSED)],
		],
		[
			"the marker cannot be looked at",
			"its marker cannot be looked at (",
			[
				(d) =>
					d.files.faults.fail({ path: /pending/, ops: ["stat"], code: "EIO" }),
			],
		],
		[
			"the inbox cannot be looked into",
			"could not be looked at: EIO",
			[
				pending(),
				(d) => {
					d.files.seedDir(`${S}/requests`);
					const ops = ["list"] as const;
					d.files.faults.fail({ path: /requests$/, ops, code: "EIO" });
				},
			],
		],
		[
			"the channel cannot be looked into",
			"could not be looked at: EIO",
			[
				pending(),
				(d) => {
					d.files.seedDir(`${S}/skeptic/w`);
					const ops = ["list"] as const;
					d.files.faults.fail({ path: /skeptic\/w$/, ops, code: "EIO" });
				},
			],
		],
		[
			"the inbox that was named is not there",
			"could not be looked at: the inbox of requests",
			[
				pending(),
				(d) => Object.assign(d.proc.env, { NEXUS_REQUESTS_DIR: "/no" }),
			],
		],
		[
			"a question of the channel is young",
			"a reviewer was asked for and may still come",
			[pending(), (d) => d.files.seed(`${S}/skeptic/w/req-001-x.open.md`, "")],
		],
	];
	test.each(cases)("%s: %p", async (_name, why, prepare) => {
		const doors = machine();
		for (const step of prepare) step(doors);
		const ran = await asked(doors, "idle");
		expect(ran.rc).toBe(why === 0 ? 0 : 1);
		if (why !== 0) expect(ran.out).toMatch(/ reason=under review: .+/);
		if (why !== 0) expect(ran.out).toContain(why);
	});

	test("a request in the inbox that is configured counts", async () => {
		const doors = machine(
			{},
			"github: {repo: a/b, user_login: me}\nmonitor: {requests: {dir: /inbox}}\n",
		);
		pending()(doors);
		doors.files.seedDir("/inbox");
		expect((await asked(doors, "idle")).rc).toBe(0);
		doors.files.seed(
			"/inbox/r.claimed.md",
			"---\nrequest: r\norigin: w\nkind: spawn-skeptic\n---\n",
		);
		expect((await asked(doors, "idle")).rc).toBe(1);
	});

	test("an orphaned marker is spoken of, and does not stand in the way", async () => {
		const doors = machine();
		pending()(doors);
		const { rc, out, err } = await asked(doors, "idle");
		expect(rc).toBe(0);
		expect(out.split("\n")).toHaveLength(1);
		expect(err).toContain("marker is passed over");
	});
});

describe("what cannot be read forbids", () => {
	test.each([
		"action-log.jsonl",
		"machine-input.tsv",
		"operator-engaged.tsv",
		"user-prompt/w",
	])("%s", async (name) => {
		const doors = machine();
		submitted(9, OWN)(doors);
		spawned(doors);
		const now = doors.clock.now();
		doors.files.seed(
			`${S}/operator-engaged.tsv`,
			`w\t${now}\t${now}\t${now}\tsubmit\t0\n`,
		);
		for (const path of ["action-log.jsonl", "machine-input.tsv"])
			doors.files.append(`${S}/${path}`, "{}");
		expect((await asked(doors, "idle")).rc).toBe(0);
		const fault = { path: `${S}/${name}`, ops: ["read"] as const };
		doors.files.faults.fail({ ...fault, code: "EIO" });
		const ran = await asked(doors, "idle");
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("could not be read");
	});
});

describe("which window", () => {
	const rows = {
		kind: "ok",
		rows: [
			paneRow({
				windowId: "@1",
				windowIndex: 3,
				session: "0",
				windowName: "a",
			}),
			paneRow({
				windowId: "@2",
				windowIndex: 3,
				session: "main",
				windowName: "b.1",
			}),
			paneRow({
				windowId: "@3",
				windowIndex: 4,
				session: "main",
				windowName: "two",
			}),
			paneRow({
				windowId: "@4",
				windowIndex: 5,
				session: "main",
				windowName: "two",
			}),
			paneRow({
				windowId: "@5",
				windowIndex: 6,
				session: "main",
				windowName: "3d",
			}),
			paneRow({
				windowId: "@2",
				windowIndex: 3,
				session: "peer",
				windowName: "b.1",
			}),
		],
	} as const;
	test.each([
		["a", "@1"],
		["3", "@1"],
		["main:3", "@2"],
		["main:b.1", "@2"],
		["b.1", "@2"],
		["3d", "@5"],
		["b", "absent"],
		[":b.1", "absent"],
		["4", "absent"],
		["0:b.1", "absent"],
		["two", "doubt"],
	])("%s is %s", (text, expected) => {
		const found = findWindow(targetOf(text), rows);
		expect(
			found.kind === "present" ? found.panes[0]?.windowId : found.kind,
		).toBe(expected);
	});

	test.each(["ghost", "main:9"])(
		"tmux answered and has no %s: exit 3, and nothing on stdout",
		async (window) => {
			const ran = await preflight(machine(), window);
			expect(ran).toMatchObject({ rc: 3, out: "" });
			expect(ran.err).toContain(`no window ${window}`);
		},
	);

	test("of two windows of one name neither is meant", async () => {
		const doors = machine();
		doors.tmux.window("w");
		expect((await preflight(doors, "w")).out).toBe(
			"safe=0 window=w pane=unknown reason=2 windows bear this name",
		);
	});

	test("tmux could not be asked: that is no window's absence", async () => {
		const doors = machine();
		doors.tmux.fail("panes", REFUSED);
		const ran = await preflight(doors, "ghost");
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("could not be asked");
	});
});

test("with a configuration that cannot be used nobody knows whose window it is: no-go", async () => {
	const ran = await asked(machine({}, "monitor: [\n"), "idle");
	expect(ran.rc).toBe(1);
	expect(ran.out).toContain("reason=the configuration cannot be used");
	expect(ran.err).toContain("nexus.yml");
});

test("in a state dir that is not there nothing speaks against a kill: no-go", async () => {
	const ran = await asked(machine(), "idle", "--state-dir", "/misspelt");
	expect(ran.rc).toBe(1);
	expect(ran.out).toContain(
		"reason=the state dir could not be read: /misspelt",
	);
});

test.each([
	[[]],
	[["w", "v"]],
	[["w", "--now", "soon"]],
	[["w", "--fresh-seconds", "ten"]],
	[["w", "--pane-state"]],
	[["w", "--force"]],
	[["v\nsafe=1 window=w", "--pane-state", "idle"]],
])("%j is no call: exit 2", async (argv) => {
	const ran = await preflight(machine(), ...argv);
	expect(ran).toMatchObject({ rc: 2, out: "" });
	expect(ran.err).toMatch(/^retire-preflight: .+\nusage: retire-preflight </);
});

test("help is printed, and nothing looked at", async () => {
	const ran = await preflight(machine(), "--help");
	expect(ran).toMatchObject({ rc: 0, err: "" });
	expect(ran.out).toStartWith("usage: retire-preflight <");
});

describe("the pane itself", () => {
	const captured = (name: string) =>
		readFileSync(
			join(CODE_ROOT, `tests/fixtures/claude-code/2.1.332-160x45/${name}.ansi`),
			"utf8",
		).trimEnd();
	const IDLE = captured("idle-fresh");

	function withClaude(doors: FakeDoors, screen = IDLE): void {
		const { pane } = doors.tmux.byName("w");
		pane.screen = screen;
		pane.width = 160;
		pane.height = 45;
		const pid = pane.pid ?? 0;
		doors.proc.add({ pid, comm: "sh", argv: ["sh"] });
		doors.proc.add({ pid: 77, ppid: pid, comm: "claude", argv: ["claude"] });
	}

	test("is looked at: a live, idle claude may go", async () => {
		const doors = machine();
		withClaude(doors);
		const ran = await preflight(doors, "w");
		expect(ran.out).toBe(
			"safe=1 window=w pane=idle reason=pane is idle and nobody needs it",
		);
		expect(ran.err).toBe("");
	});

	test.each([
		["works", captured("busy-streaming"), 1, "busy"],
		["waits for nothing", IDLE, 0, "idle"],
		["cannot be told from its screen", "garbage", 1, "empty"],
	] as const)(
		"is not the only one: beside a shell that the operator opened a claude %s",
		async (_name, screen, rc, state) => {
			const doors = machine();
			withClaude(doors, screen);
			const window = doors.tmux.byName("w");
			window.pane = doors.tmux.model.split(window.pane);
			const pid = window.pane.pid ?? 0;
			doors.proc.add({ pid, comm: "bash", argv: ["bash"], startTicks: "1" });
			const ran = await preflight(doors, "w");
			expect(ran.rc).toBe(rc);
			expect(ran.out).toContain(` pane=${state} `);
		},
	);

	test("that proves nothing is looked at three times, 0.4 s apart", async () => {
		const doors = machine();
		withClaude(doors);
		doors.tmux.byName("w").pane.screen = "garbage";
		const began = doors.clock.monoMs();
		const ran = await preflight(doors, "w");
		expect(ran.rc).toBe(1);
		expect(ran.out).toContain("indeterminate");
		expect(doors.tmux.trace().filter((op) => op === "captureAll")).toHaveLength(
			3,
		);
		expect(doors.clock.monoMs() - began).toBe(800);
	});

	test("is its own window's: a neighbour that works is another matter", async () => {
		const doors = fakeDoors({
			auto: true,
			proc: { env: { NEXUS_ROOT: "/root" } },
		});
		doors.files.seedDir(S);
		for (const name of ["before", "w"]) doors.tmux.window(name);
		withClaude(doors);
		const { pane } = doors.tmux.byName("before");
		Object.assign(pane, {
			screen: captured("busy-streaming"),
			width: 160,
			height: 45,
		});
		expect((await preflight(doors, "w")).rc).toBe(0);
	});

	test("that proves something on the second look is not looked at again", async () => {
		const doors = machine();
		withClaude(doors);
		doors.tmux.byName("w").pane.screen = "garbage";
		doors.tmux.after((call) => {
			if (call.op === "captureAll") doors.tmux.byName("w").pane.screen = IDLE;
		});
		expect((await preflight(doors, "w")).rc).toBe(0);
		expect(doors.tmux.trace().filter((op) => op === "captureAll")).toHaveLength(
			2,
		);
	});

	test("with text in its box tells the text encoded on stdout and plain on stderr", async () => {
		const ran = await asked(machine(), "idle input_text=rm%20-rf%0A");
		expect(ran.out).toMatch(
			/^safe=1 window=w pane=idle input_text=rm%20-rf%0A reason=/,
		);
		expect(ran.err).toContain("in the input box: rm -rf");
		const torn = await asked(machine(), "idle input_text=%zz");
		expect(torn.err).toContain("in the input box: %zz");
	});
});

test("the gate leaves no trace, whatever lies around", async () => {
	const doors = machine();
	doors.files.seed(`${S}/action-log.jsonl`, "");
	doors.files.seed(`${S}/operator-engaged.tsv`, "");
	doors.files.seed(`${S}/over-limit/w.json`, '{"ts":1}');
	submitted(9)(doors);
	await preflight(doors, "w");
	await asked(doors, "idle");
	expect(doors.files.faults.changes()).toBe(0);
	expect(doors.tmux.calls.every((call) => call.op !== "run")).toBe(true);
});
