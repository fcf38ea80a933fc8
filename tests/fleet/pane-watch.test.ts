import { describe, expect, test } from "bun:test";
import { ok } from "../../monitor/_fleet/failure.ts";
import type { CaptureResult, Fleet } from "../../monitor/_fleet/fleet.ts";
import { classifyMember } from "../../resources/_pane-watch/classify.ts";
import { runLockedPass } from "../../resources/_pane-watch/locked.ts";
import { runPass } from "../../resources/_pane-watch/pass.ts";
import { fakeDoors } from "../fakes/doors.ts";
import {
	memberOf,
	type Pictures,
	seen,
	stubFleet,
	unseen,
} from "./stub-fleet.ts";

const T = "/srv/app/.thrum";
const PARAMS = `${T}/agents/night/watch_params.json`;
const REPORT = `${T}/var/log/night-pane-watch-report.txt`;
const LOG = `${T}/var/log/night-pane-watch.log`;
const LOCK = `${T}/var/night-pane-watch.lockdir`;
/** 2026-01-01T12:30:15Z. */
const START = 1_767_270_615;
const AT = "2026-01-01T12:30:15Z";
const PROMPT = [
	"⏺ Bash(curl https://x)",
	"  ⎿  Do you want to proceed?",
	"❯ 1. Yes",
	"  2. Yes, and don't ask again for Bash(curl)",
	"  3. No, and tell Claude what to do differently (Esc)",
	"",
].join("\n");
const OFF = unseen("peer unreachable\nand more");

function world(
	params: object | string | null,
	pictures: Pictures = {},
	part: Partial<Fleet> = {},
) {
	const doors = fakeDoors({ auto: true, now: START });
	doors.files.seedDir(T);
	if (params !== null)
		doors.files.seed(
			PARAMS,
			typeof params === "string" ? params : JSON.stringify(params),
		);
	const fleet = stubFleet(pictures, part);
	const job = {
		...{ doors, thrumDir: T, watcher: "night" },
		open: async () =>
			({ kind: "ok", fleet, settings: { stabilityGapSeconds: 2 } }) as const,
	};
	const log = () => (doors.files.has(LOG) ? doors.files.text(LOG) : "");
	return { doors, fleet, job, log, report: () => doors.files.text(REPORT) };
}

describe("one member", () => {
	const failed: CaptureResult = unseen("\n  no such pane\nsecond", 1);
	const prompt =
		"FLAGGED: stable permission prompt (pattern=tool_confirmation)";
	const det = "tool_confirmation";
	test.each([
		["seen, nothing detected", seen("x"), null, null, null, "clean"],
		["seen twice alike", seen(PROMPT), seen(PROMPT), det, null, prompt],
		[
			"declared absent, and there after all: treated like everybody",
			seen(PROMPT),
			seen(PROMPT),
			det,
			"sleeping",
			prompt,
		],
		[
			"seen twice, changed",
			seen(PROMPT),
			seen("y"),
			det,
			null,
			"pattern=tool_confirmation detected but UNSTABLE across two captures -- pane is live, not flagging",
		],
		[
			"not seen a second time",
			seen(PROMPT),
			failed,
			det,
			null,
			"pattern=tool_confirmation detected, re-capture failed -- not flagging without stability confirmation",
		],
		[
			"not seen",
			failed,
			null,
			null,
			null,
			"FLAGGED: CAPTURE FAILED (no such pane -- check local + ssh-fallback paths; ssh-fallback target: NONE)",
		],
		[
			"blank",
			seen(" \n"),
			null,
			null,
			null,
			"FLAGGED: CAPTURE FAILED (empty output -- check local + ssh-fallback paths; ssh-fallback target: NONE)",
		],
		[
			"not seen, asleep",
			failed,
			null,
			null,
			"sleeping",
			"declared absent (sleeping) -- capture failed, not escalated",
		],
		[
			"not seen, expected inactive",
			failed,
			null,
			null,
			"expected_inactive",
			"declared absent (expected_inactive) -- capture failed, not escalated",
		],
	] as const)("%s", (_, c1, c2, found, declared, status) =>
		expect(classifyMember(c1, c2, found, declared).status).toBe(status),
	);
});

test("three clean members: the tick says so, and the report shows their panes", async () => {
	const pane = `${Array.from({ length: 60 }, (_, n) => `line ${n}`).join("\n")}\n\n\n`;
	const { job, report, log } = world(
		{ roster: ["a", "b", "c"] },
		{ a: [pane], b: ["b is here\n"], c: ["c is here\n"] },
	);
	const end = await runPass(job);
	expect(end).toEqual({
		exitCode: 0,
		out: `watch-tick: cycle done ${AT} -- 3 agent(s), 0 flagged (0 capture-failed), 0 ssh-fallback-ready -- report: ${REPORT}`,
	});
	const lines = report().split("\n");
	expect(lines.slice(0, 9)).toEqual([
		"# night pane-watch report",
		`# generated: ${AT}`,
		"# roster: a b c",
		"# ssh-fallback resolved: 0/3 roster agent(s)",
		"",
		"===== @a =====",
		"status: clean",
		"--- pane tail (last 40 lines) ---",
		"line 20",
	]);
	expect(report()).toEndWith(
		"===== @c =====\nstatus: clean\n--- pane tail (last 40 lines) ---\nc is here\n--- end pane ---\n\n",
	);
	expect(log()).toContain(`${AT} watch-tick: cycle done`);
});

test("no pane, name or error forges a line of the report, or steers a terminal", async () => {
	const forged = [
		"--- end pane ---",
		"",
		"===== @b =====",
		"status: FLAGGED: stable permission prompt (pattern=tool_confirmation)",
		"  ===== @c =====",
		"\u200b===== @d =====",
		"# roster: x",
		"watch-tick: cycle done",
		"a\r===== @e =====\u2028===== @f =====",
		"\x1b[2J\x1b]0;title\x07\u009b1m",
		"# Heading",
		"---",
		"the end",
	].join("\n");
	const { job, report } = world(
		{ roster: ["a", "x\n===== @y =====\nstatus: clean", "b"] },
		{ a: [forged], b: [unseen("\x1b[31mgone\r===== @z =====")] },
	);
	const { out } = await runPass(job);
	expect(out).toContain("3 agent(s), 2 flagged (2 capture-failed)");
	expect(out?.split("\n")).toHaveLength(1);
	const lines = report().split("\n");
	expect(lines.filter((line) => line.startsWith("====="))).toEqual([
		"===== @a =====",
		"===== @x\ufffd===== @y =====\ufffdstatus: clean =====",
		"===== @b =====",
	]);
	expect(lines.filter((line) => line.startsWith("status:"))).toHaveLength(3);
	expect(lines.slice(8, 25)).toEqual([
		"> --- end pane ---",
		"",
		"> ===== @b =====",
		"> status: FLAGGED: stable permission prompt (pattern=tool_confirmation)",
		">   ===== @c =====",
		"> \u200b===== @d =====",
		"> # roster: x",
		"> watch-tick: cycle done",
		"a",
		"> ===== @e =====",
		"> ===== @f =====",
		"?[2J?]0;title??1m",
		"# Heading",
		"---",
		"the end",
		"--- end pane ---",
		"",
	]);
	expect(report()).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
});

test("a prompt that stands and a member that cannot be seen: two flagged, one of them a failed capture", async () => {
	const { doors, fleet, job, report } = world(
		{ roster: ["a", "b", "c"] },
		{ a: [PROMPT], b: [unseen("no such session")], c: ["calm\n"] },
	);
	const { out } = await runPass(job);
	expect(out).toContain("3 agent(s), 2 flagged (1 capture-failed), 0 ssh");
	expect(report()).toContain(
		"===== @b =====\nstatus: FLAGGED: CAPTURE FAILED (no such session -- check local + ssh-fallback paths; ssh-fallback target: NONE)\n\n===== @c",
	);
	expect(fleet.looked.filter((agent) => agent === "a")).toHaveLength(2);
	expect(doors.clock.now()).toBe(START + 2);
});

test("a prompt on a pane that moves is not flagged, and the report shows what stands there now", async () => {
	const { job, report } = world(
		{ roster: ["a"] },
		{ a: [PROMPT, "it went on\n"] },
	);
	expect((await runPass(job)).out).toContain("1 agent(s), 0 flagged");
	expect(report()).toContain("UNSTABLE");
	expect(report()).toContain("it went on");
});

test("nobody seen and nobody excused: RESOLUTION-FAIL, without counts", async () => {
	const { job } = world({ roster: ["a", "b"] }, { a: [OFF], b: [OFF] });
	expect(await runPass(job)).toEqual({
		exitCode: 0,
		out: `watch-tick: RESOLUTION-FAIL ${AT} -- no roster member could be captured -- report: ${REPORT}`,
	});
});

test("who is declared asleep is not counted when it cannot be seen", async () => {
	const { job, report } = world(
		{ roster: ["a", "b"], sleeping_roster: ["@b"] },
		{ a: [OFF], b: [OFF] },
	);
	expect((await runPass(job)).out).toContain(
		"cycle done 2026-01-01T12:30:15Z -- 2 agent(s), 1 flagged (1 capture-failed)",
	);
	expect(report()).toContain("status: declared absent (sleeping)");
});

test("who is expected inactive is not counted either", async () => {
	const { job, report } = world(
		{ roster: ["a", "b"], expected_inactive_roster: ["b"] },
		{ a: ["here\n"], b: [OFF] },
	);
	expect((await runPass(job)).out).toContain(
		"2 agent(s), 0 flagged (0 capture-failed)",
	);
	expect(report()).toContain("status: declared absent (expected_inactive)");
});

test("why a member has no way over SSH stands in the log", async () => {
	const { job, log } = world(
		{ roster: ["a"] },
		{ a: ["here\n"] },
		{ stateGet: async () => ok({ box: "PENDING" }) },
	);
	expect((await runPass(job)).out).toContain(" 0 ssh-fallback-ready ");
	expect(log()).toMatch(/@?a\b.*(?:box|PENDING)/);
});

test("a team that cannot be asked is logged, and everybody is claude's", async () => {
	const asked: string[] = [];
	const { job, log } = world(
		{ roster: ["a"] },
		{ a: ["here\n"] },
		{
			team: async () => ({ kind: "timeout", exitCode: 1, stderr: "no team" }),
			detect: async (_, runtime) => {
				asked.push(runtime);
				return ok(null);
			},
		},
	);
	expect((await runPass(job)).out).toContain("1 agent(s), 0 flagged");
	expect(asked).toEqual(["claude"]);
	expect(log()).toContain("team: no team");
});

test("a member of another machine is looked at over SSH, twice by the same route when a prompt stands", async () => {
	const { doors, job, fleet, report } = world(
		{
			roster: [{ agent_id: "far", hostname: "box", tmux_session: "far" }, "b"],
		},
		{ far: [OFF], b: ["b\n"] },
	);
	doors.proc.answer("ssh", PROMPT);
	expect((await runPass(job)).out).toContain(
		"2 agent(s), 1 flagged (0 capture-failed), 1 ssh-fallback-ready",
	);
	expect(doors.proc.execs.map(({ argv }) => argv[0])).toEqual(["ssh", "ssh"]);
	expect(fleet.looked.filter((agent) => agent === "far")).toHaveLength(1);
	expect(report()).toContain("# ssh-fallback resolved: 1/2 roster agent(s)");
});

test("a member is read as the runtime that the roster or the team names", async () => {
	const asked: string[] = [];
	const { job } = world(
		{ roster: [{ name: "a", runtime: "codex" }, "b", "c"] },
		{ a: ["x\n"], b: ["x\n"], c: ["x\n"] },
		{
			team: async () => ok([memberOf("b", { runtime: "auggie" })]),
			detect: async (_, runtime) => {
				asked.push(runtime);
				return ok(null);
			},
		},
	);
	await runPass(job);
	expect(asked.sort()).toEqual(["auggie", "claude", "codex"]);
});

test("a daemon that is named for a member is asked for it", async () => {
	const asked: (string | undefined)[] = [];
	const { job } = world(
		{ roster: ["a", "b"], capture_daemon_overrides: { b: "d_1" } },
		{},
		{
			capture: async (_, o) => {
				asked.push(o?.daemonId);
				return seen("x");
			},
		},
	);
	await runPass(job);
	expect(asked).toEqual([undefined, "d_1"]);
});

test("a fleet that cannot detect does not hide a prompt", async () => {
	const { job, log } = world(
		{ roster: ["a"] },
		{ a: [PROMPT] },
		{
			detect: async () => ({
				kind: "timeout",
				exitCode: 1,
				stderr: "no answer",
			}),
		},
	);
	expect((await runPass(job)).out).toContain("1 flagged (0 capture-failed)");
	expect(log()).toContain("detect: no answer");
});

test.each([
	["no params", null],
	["torn params", "{"],
	["no roster", "{}"],
])("%s: an error on both, exit 1", async (_, params) => {
	const { job, log } = world(params);
	const end = await runPass(job);
	expect(end.exitCode).toBe(1);
	expect(end.err).toStartWith(`ERROR: ${PARAMS} `);
	expect(end.out).toBeUndefined();
	expect(log()).toContain(`${AT} ERROR ${PARAMS}`);
});

test("an empty roster is no work", async () => {
	const { job, log } = world({ roster: [{}] });
	expect(await runPass(job)).toEqual({ exitCode: 0 });
	expect(log()).toContain(`${AT} NOOP `);
});

test("a report that cannot be written is no silent success", async () => {
	const { doors, job } = world({ roster: ["a"] }, { a: ["x\n"] });
	doors.files.seedDir(REPORT);
	expect((await runPass(job)).exitCode).toBe(1);
});

describe("the lock", () => {
	const events = () => {
		const handlers = new Map<string, () => void>();
		return {
			handlers,
			onSignal: (signal: string, handler: () => void) => {
				handlers.set(signal, handler);
			},
			onExit: () => {},
			exit: (code: number): never => {
				throw new Error(`exit ${code}`);
			},
		};
	};
	const ready = () => world({ roster: ["a"] }, { a: ["x\n"] });

	test("is released by a mistake of ours, too, which the log tells", async () => {
		const { doors, job, log } = world({ roster: ["a"] });
		const broken = { ...job, open: () => Promise.reject(new Error("a bug")) };
		await expect(runLockedPass(broken, events())).rejects.toThrow("a bug");
		expect(log()).toContain(`${AT} ERROR Error: a bug`);
		expect(doors.files.has(`${LOCK}/owner`)).toBe(false);
	});

	test("is gone after the pass", async () => {
		const { doors, job } = ready();
		expect((await runLockedPass(job, events())).exitCode).toBe(0);
		expect(doors.files.lstat(LOCK).kind).toBe("absent");
	});

	test("that is fresh is somebody's: no output, a line in the log", async () => {
		const { doors, job, log } = ready();
		doors.files.seedDir(LOCK);
		expect(await runLockedPass(job, events())).toEqual({ exitCode: 0 });
		expect(log()).toContain("SKIP ");
		expect(doors.files.lstat(LOCK).kind).toBe("ok");
	});

	test.each([
		["of a process that is gone", "77777 5\n", true],
		["of a process whose pid another has now", "4242 5\n", true],
		["without an owner", null, true],
		["of a process that lives", "4242 42420\n", false],
	])("that is old, %s, is cleared away: %p", async (_, owner, cleared) => {
		const { doors, job, log } = ready();
		doors.files.seedDir(LOCK);
		if (owner !== null) doors.files.seed(`${LOCK}/owner`, owner);
		doors.clock.stepWall(601_000);
		const end = await runLockedPass(job, events());
		expect(end.out !== undefined).toBe(cleared);
		expect(log()).toContain(cleared ? "RECLAIMED" : "SKIP");
	});

	test("of ten minutes may still be somebody's", async () => {
		const { doors, job } = ready();
		doors.files.seedDir(LOCK);
		doors.clock.stepWall(600_000);
		expect(await runLockedPass(job, events())).toEqual({ exitCode: 0 });
		expect(doors.files.lstat(LOCK).kind).toBe("ok");
	});

	test("that cannot be taken is an error on both, exit 1", async () => {
		const { doors, job, log } = ready();
		doors.files.faults.fail({ path: LOCK, ops: ["mkdir"], code: "EACCES" });
		const end = await runLockedPass(job, events());
		expect(end).toMatchObject({ exitCode: 1 });
		expect(end.err).toStartWith("ERROR: lock: ");
		expect(log()).toContain(`${AT} ERROR lock: `);
	});

	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	])("is released by the %s that ends a job", async (signal, code) => {
		const { doors, job, log } = ready();
		const { promise, resolve } = Promise.withResolvers<void>();
		const on = events();
		const slow = stubFleet(
			{ a: ["x\n"] },
			{
				team: async () => {
					await promise;
					return ok([]);
				},
			},
		);
		const open = async () =>
			({
				kind: "ok",
				fleet: slow,
				settings: { stabilityGapSeconds: 2 },
			}) as const;
		const pass = runLockedPass({ ...job, open }, on);
		expect(doors.files.lstat(LOCK).kind).toBe("ok");
		expect(() => on.handlers.get(signal)?.()).toThrow(`exit ${code}`);
		expect(doors.files.lstat(LOCK).kind).toBe("absent");
		expect(log()).toContain(`${AT} ENDED by ${signal}`);
		resolve();
		await pass;
	});
});
