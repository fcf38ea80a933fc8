/** The thrum adapter against builds that are old, daemons that are down, and answers that are no answers. */
import { beforeEach, describe, expect, test } from "bun:test";
import { isProxyFailure } from "../../monitor/_fleet/thrum/panes.ts";
import { jsonIn } from "../../monitor/_fleet/thrum/parse.ts";
import { thrumFleet } from "../../monitor/_fleet/thrum.ts";
import { HANG } from "../fakes/proc.ts";
import { value } from "./conformance.ts";
import { type LocalRig, localRig } from "./local-rig.ts";
import { HELP } from "./stand-in/help.ts";

let rig: LocalRig;
beforeEach(() => {
	rig = localRig();
	rig.doors.files.seed("/usr/bin/thrum", "", { mode: 0o755 });
});

const BUILD = Object.entries(HELP);
/** A build whose help speaks of nothing in `lacks`; every other call is answered so. */
function build(
	lacks: readonly string[],
	answer: (
		words: string,
		argv: readonly string[],
	) => string | number | { readonly error: string } = () => 1,
) {
	rig.doors.proc.answer("thrum", (argv) => {
		const words = argv.slice(1);
		const line = words.join(" ");
		const help = BUILD.find(([verb]) => line === `${verb} --help`)?.[1];
		const text =
			help === undefined
				? answer(line, words)
				: lacks.includes(line.replace(" --help", ""))
					? 1
					: lacks.reduce((t, flag) => t.replaceAll(flag, ""), help);
		if (typeof text === "object")
			return { kind: "exited", rc: 1, stdout: "", stderr: text.error };
		return typeof text === "number"
			? {
					kind: "exited",
					rc: text,
					stdout: "",
					stderr: "Error: unknown command",
				}
			: { kind: "exited", rc: 0, stdout: text, stderr: "" };
	});
	return thrumFleet(rig.ctx, rig.ctx.place);
}
const calls = () =>
	rig.doors.proc.execs
		.map(({ argv }) => argv.slice(1).join(" "))
		.filter((line) => !line.endsWith("--help"));

/** A job that tells of its success, too. */
const JOB = {
	name: "j",
	argv: ["x"],
	match: "",
	to: "a",
	cwd: "/",
	env: {},
	schedule: "* * * * *",
	notifyOnSuccess: true,
};

describe("a build that lacks", () => {
	test("everything has no ability", async () => {
		const fleet = build([
			"tmux send",
			"tmux capture",
			"detect",
			"state",
			"--offline",
			"--notify-on-success",
			"--model",
		]);
		const caps = value(await fleet.caps());
		expect(caps).toEqual({
			keys: false,
			notifyOnSuccess: false,
			detect: false,
			scopedTeam: false,
			captureFormats: false,
			captureByAgent: false,
			modelPin: false,
			state: false,
		});
	});

	test.each([
		["--keys", "keys"],
		["--notify-on-success", "notifyOnSuccess"],
		["detect", "detect"],
		["--offline", "scopedTeam"],
		["--format", "captureFormats"],
		["--model", "modelPin"],
		["--effort", "modelPin"],
		["tmux launch", "modelPin"],
		["tmux create", "modelPin"],
		["state", "state"],
	])("%s alone lacks that ability alone", async (lacks, ability) => {
		const caps = value(await build([lacks]).caps());
		const missing = Object.entries(caps).filter(([, can]) => !can);
		expect(missing.map(([name]) => name)).toEqual([ability]);
	});

	test("--format gives no document, and says why", async () => {
		const fleet = build(["--format"], () => "{}");
		expect(await fleet.captureDoc("w")).toMatchObject({
			ok: false,
			lines: [],
			error: "this thrum has no tmux capture --format",
		});
		expect(calls()).toEqual([]);
	});

	test("--keys refuses them", async () => {
		const fleet = build(["--keys"]);
		expect(await fleet.sendKeys("w", ["1"])).toEqual({
			exitCode: 1,
			verdict: "error",
			detail: "this thrum has no tmux send --keys",
		});
		expect(calls()).toEqual([]);
	});

	test("the model pin starts no session", async () => {
		const fleet = build(["--model"]);
		const pin = { model: "m", effort: "low" };
		const launched = await fleet.sessionLaunch({
			session: "w",
			runtime: "claude",
			...pin,
		});
		expect(launched.kind).toBe("refused");
		expect((await fleet.sessionRestart("w", pin)).kind).toBe("refused");
		expect(calls()).toEqual([]);
	});

	test("notify-on-success starts no monitor", async () => {
		const fleet = build(["--notify-on-success"]);
		const started = await fleet.monitorStart(JOB);
		expect(started).toMatchObject({ kind: "refused" });
		expect(calls()).toEqual([]);
	});

	test("detect reads the prompt itself", async () => {
		const fleet = build(["detect"]);
		const prompt = "Do you want to proceed?\n❯ 1. Yes\n  2. No";
		expect(value(await fleet.detect(prompt, "claude"))).toBe(
			"tool_confirmation",
		);
		expect(calls()).toEqual([]);
	});

	test("state has no rows", async () => {
		const fleet = build(["state"]);
		expect(value(await fleet.stateGet("a", "b"))).toBeNull();
		expect(value(await fleet.stateScopes("a"))).toEqual([]);
	});

	test("capture by agent is asked by session", async () => {
		const fleet = build(["tmux capture"], (line) =>
			line === "tmux status --json"
				? '{"sessions": [{"name": "s-w", "agent": "w", "state": "alive"}]}'
				: "text\n",
		);
		expect(await fleet.capture("w")).toMatchObject({
			ok: true,
			text: "text\n",
		});
		expect(calls()).toContain("tmux capture s-w --lines 50");
	});

	test("the scoped team is asked for everybody, and the one is picked", async () => {
		const fleet = build(
			["--offline"],
			() => '{"members": [{"agent_id": "@w"}]}',
		);
		expect(value(await fleet.member("w"))?.agentId).toBe("w");
		expect(calls()).toEqual(["team --all --json"]);
	});

	test.each([
		["", "ok"],
		["Error: monitor j not found", "not-found"],
		["Error: daemon is not running", "unreachable"],
	])(
		"nothing deletes, and stops nothing beside it: %j is %s",
		async (error, kind) => {
			const fleet = build([], () => (error === "" ? "" : { error }));
			expect((await fleet.monitorDelete("j")).kind).toBe(kind as "ok");
			expect(calls()).toEqual(["monitor delete j"]);
			expect((await fleet.monitorStop("j")).kind).toBe(kind as "ok");
		},
	);

	test("a scope for one member is asked for everybody", async () => {
		const fleet = build([], (line) =>
			line.startsWith("team @")
				? { error: "Error: accepts 0 arg(s), received 1" }
				: '{"members":[{"agent_id":"v"},{"agent_id":"w"}]}',
		);
		expect(value(await fleet.member("w"))?.agentId).toBe("w");
		expect(value(await fleet.member("x"))).toBeNull();
		expect(calls().slice(0, 2)).toEqual([
			"team @w --offline --json",
			"team --offline --json",
		]);
	});

	test("delete stops, and says that the name is still held", async () => {
		const fleet = build([], (line) => (line === "monitor stop j" ? "" : 1));
		expect(await fleet.monitorDelete("j")).toMatchObject({
			kind: "refused",
			stderr: "monitor j is stopped; name still held",
		});
	});
});

describe("a daemon", () => {
	test("that hangs is a timeout, and typing that hung may have happened", async () => {
		const fleet = build([]);
		value(await fleet.caps());
		rig.doors.proc.answer("thrum", HANG);
		expect((await fleet.team()).kind).toBe("timeout");
		expect(await fleet.sendText("w", "x")).toMatchObject({ exitCode: 4 });
	});

	test("whose answer is cut short has said nothing", async () => {
		const fleet = build([], () => '{"members": [{"agent_id": "w"');
		for (const asked of [
			fleet.whoami(),
			fleet.sent(),
			fleet.send("w", "x"),
			fleet.worktreeCreate("w"),
			fleet.monitorShow("j"),
			fleet.stateGet("k", "s"),
			fleet.stateScopes("k"),
		])
			expect((await asked).kind).toBe("failed");
		expect(await fleet.captureDoc("w")).toMatchObject({
			ok: false,
			error: "thrum tmux capture: no document in its answer",
		});
		expect((await fleet.team()).kind).toBe("failed");
		expect((await fleet.inbox()).kind).toBe("failed");
		expect((await fleet.monitorList()).kind).toBe("failed");
		expect((await fleet.sessionExists("w")).kind).toBe("failed");
	});

	test.each([
		[3, "withheld"],
		[4, "unknown"],
		[1, "error"],
	] as const)("that ends a send with %p says %s", async (exitCode, verdict) => {
		const fleet = build([], () => exitCode);
		expect(await fleet.sendKeys("w", ["1"])).toMatchObject({
			exitCode,
			verdict,
		});
	});

	test.each([
		["Error: agent w not found", "not-found", "agent w not found"],
		["Error: unknown recipient: @w", "not-found", "unknown recipient: @w"],
		["Error: session w already exists", "exists", "session w already exists"],
		["Error: unknown flag: --x", "usage", "unknown flag: --x"],
		["Error: context deadline exceeded", "timeout", undefined],
		[
			"Error: dial unix /r/.thrum/var/thrum.sock: connect: no such file or directory",
			"unreachable",
			undefined,
		],
		["Error: dial tcp: lookup hub: no such host", "unreachable", undefined],
		["Error: read: connection reset by peer", "unreachable", undefined],
		["Error: daemon is not running", "unreachable", undefined],
		["Error: no space left", "failed", "no space left"],
		["", "failed", "thrum gave no reason"],
	] as const)("that says %j: %s", async (error, kind, stderr) => {
		const fleet = build([], () => ({ error }));
		const asked = await fleet.team();
		expect(asked.kind).toBe(kind);
		if (stderr !== undefined) expect(asked).toMatchObject({ stderr });
		// Only a clear word makes nobody of somebody.
		for (const one of [
			fleet.member("w"),
			fleet.monitorShow("j"),
			fleet.stateGet("k", "s"),
		]) {
			const answer = await one;
			expect(answer.kind === "ok").toBe(kind === "not-found");
		}
	});

	test("is called in the repository, without stdin, 15 s long; what creates has 90 s", async () => {
		const fleet = build([], () => "{}");
		await fleet.inbox();
		await fleet.send("w", "body");
		await fleet.send("w", "body", { replyTo: "msg_1" });
		await fleet.worktreeCreate("w");
		const { repoRoot } = rig.ctx.place;
		const made = rig.doors.proc.execs
			.filter(({ argv }) => argv[0] === "/usr/bin/thrum")
			.filter(({ argv }) => !argv.includes("--help"))
			.map(({ argv, opts }) => [argv[1], opts.cwd, opts.stdin, opts.timeoutMs]);
		expect(made).toEqual([
			["inbox", repoRoot, undefined, 15_000],
			["send", repoRoot, "body", 15_000],
			["reply", repoRoot, "body", 15_000],
			["worktree", repoRoot, undefined, 90_000],
		]);
	});

	test.each([
		[
			'{"message_id":"m","recipients":[{"agent_id":"@a"},{"agent_id":"b"}]}',
			["a", "b"],
		],
		['{"message_id":"m","resolved_to":"@c"}', ["c"]],
		['{"message_id":"m"}', ["w"]],
	])(
		"that takes a message says who gets it: %s",
		async (answer, recipients) => {
			const fleet = build([], () => answer);
			expect(value(await fleet.send("@w", "x"))).toEqual({
				messageId: "m",
				recipients,
			});
		},
	);

	const ID = "mon_0123456789ABCDEFGHJKMNPQRS";
	test("starts a monitor whose id it says, or that it shows", async () => {
		const says = build([], () => `started j (${ID})\n`);
		expect(value(await says.monitorStart(JOB))).toEqual({ id: ID });
		const shows = build([], (line) =>
			line === "monitor show j --json"
				? '{"id":"mon_2","name":"j"}'
				: "started",
		);
		expect(value(await shows.monitorStart(JOB))).toEqual({ id: "mon_2" });
		const hides = build([], (line) =>
			line.startsWith("monitor show") ? { error: "Error: not found" } : "",
		);
		expect(await hides.monitorStart(JOB)).toMatchObject({
			kind: "failed",
			stderr: "monitor j does not show after its start",
		});
	});

	test.each([[{ schedule: "often" }], [{ match: "(" }]])(
		"starts no monitor of %j",
		async (bad) => {
			const fleet = build([], () => `(${ID})`);
			expect((await fleet.monitorStart({ ...JOB, ...bad })).kind).toBe("usage");
			expect(calls()).toEqual([]);
		},
	);

	test("gets only keys that are keys", async () => {
		const fleet = build([], () => "");
		expect(await fleet.sendKeys("w", [])).toMatchObject({
			exitCode: 2,
			detail: "no key: none given",
		});
		expect(await fleet.sendKeys("w", ["Entre"])).toMatchObject({
			exitCode: 2,
			detail: "no key: Entre",
		});
		expect(calls()).toEqual([]);
	});

	test("that lists no sessions is no word on an agent", async () => {
		const fleet = build(["tmux capture"], (line) =>
			line === "tmux status --json" ? "garbage" : "text\n",
		);
		expect(await fleet.capture("w")).toMatchObject({
			ok: false,
			failure: "error",
		});
	});

	describe("that detects prompts", () => {
		const prompt = "Do you want to proceed?\n❯ 1. Yes\n  2. No";
		test.each([
			["names its pattern", "their_name\n", "their_name"],
			["is silent and says 1: none", { error: "" }, null],
			["fails: ours counts", { error: "Error: broken" }, "tool_confirmation"],
			["ends otherwise: ours counts", 2, "tool_confirmation"],
			["names nothing: ours counts", "\n", "tool_confirmation"],
		] as const)("%s", async (_name, answer, name) => {
			const fleet = build([], () => answer);
			expect(value(await fleet.detect(prompt, "claude"))).toBe(name);
			expect(calls()[0]).toMatch(/^detect --category permission --pane-file /);
			const { files } = rig.doors;
			expect(files.paths("/").filter((p) => p.includes("detect"))).toEqual([]);
		});

		test("ours counts on a full disk", async () => {
			const fleet = build([], () => ({ error: "" }));
			rig.doors.files.faults.fail({
				path: /nexus-detect/,
				ops: ["write"],
				code: "ENOSPC",
			});
			expect(value(await fleet.detect(prompt, "claude"))).toBe(
				"tool_confirmation",
			);
			rig.doors.files.makeTempDir = () => {
				throw new Error("ENOSPC");
			};
			expect(value(await fleet.detect(prompt, "claude"))).toBe(
				"tool_confirmation",
			);
			expect(calls()).toEqual([]);
		});
	});

	test("gets text that was cleaned, and never as a flag", async () => {
		const fleet = build([], () => "");
		await fleet.sendText("w", "/compact now\x1b[2J");
		await fleet.sendText("w", "--keys Enter");
		await fleet.sendText("w", "/compact", { command: true });
		expect(calls()).toEqual([
			"tmux send w Message: /compact now[2J",
			"tmux send w Message: --keys Enter",
			"tmux send w /compact",
		]);
	});

	test("is asked for nobody whose name would be read as a flag: help is no pane", async () => {
		const fleet = build([], () => "usage: thrum tmux capture <agent>");
		expect(await fleet.capture("--help")).toMatchObject({
			ok: false,
			failure: "not-found",
		});
		expect(await fleet.sendKeys("--help", ["1"])).toMatchObject({
			exitCode: 1,
		});
		expect(calls()).toEqual([]);
	});

	test("that captures nothing captured nothing: an error is never a pane", async () => {
		const fleet = build([], (line) => (line.includes("blank") ? " \n\n" : 1));
		expect(await fleet.capture("blank")).toMatchObject({
			ok: false,
			failure: "empty",
		});
		expect(await fleet.capture("w")).toMatchObject({
			ok: false,
			failure: "error",
			detail: "unknown command",
		});
	});
});

test("who is offline may be left out of the team", async () => {
	const members = [
		{ agent_id: "a", state: "alive" },
		{ agent_id: "b", state: "offline" },
		{ agent_id: "c", state: "dead" },
		{ agent_id: "d", state: "undead" },
		{ agent_id: "e", tmux_state: "dead" },
		{ agent_id: "f", tmux_state: "stale" },
		{ agent_id: "g" },
	];
	const fleet = build([], () => JSON.stringify({ members }));
	const names = async (o?: { readonly includeOffline?: boolean }) =>
		value(await fleet.team(o))
			.map((m) => m.agentId)
			.join("");
	expect(await names()).toBe("abcdefg");
	expect(await names({ includeOffline: true })).toBe("abcdefg");
	expect(await names({ includeOffline: false })).toBe("adfg");
});

test.each([
	["Error: no identity in this folder", null],
	["Error: agent not found", null],
	["Error: broken", "failed"],
])("who we are, when thrum says %j: %p", async (error, answer) => {
	const asked = await build([], () => ({ error })).whoami();
	expect(asked.kind === "ok" ? asked.value : asked.kind).toBe(answer as null);
});

describe("its JSON", () => {
	test.each([
		['warm words\n{"a": 1}\n', { a: 1 }],
		["[note] words\n[1, 2]\n", [1, 2]],
		['{"result": [1], "hints": ["x"]}', [1]],
		["null\n", null],
		["no json", undefined],
		['say {"a": 1}', undefined],
		["is null", undefined],
		["null and void", undefined],
		['{"a": ', undefined],
		["", undefined],
	])("%j reads as %j", (stdout, read) => {
		expect(jsonIn(stdout)).toEqual(read);
	});
});

test.each([
	["rpcrouter: caller-peer lacks required capability", true],
	["peer unreachable", true],
	["circuit open, dial skipped", true],
	["This feature requires Thrum Pro", true],
	["upgrade to PRO", true],
	["process requires a license", false],
	["agent w not found", false],
])("%j is the proxy's failure: %p", (text, is) => {
	expect(isProxyFailure(text)).toBe(is);
});

describe("out of reach", () => {
	const everyCall = (fleet: ReturnType<typeof build>) => {
		const pin = { model: "m", effort: "low" };
		const tree = {
			path: "/w",
			branch: "b",
			reused: false,
			branchCreated: true,
		};
		const session = { ...pin, session: "w", runtime: "claude" };
		return [
			fleet.caps(),
			fleet.whoami(),
			fleet.team(),
			fleet.member("w"),
			fleet.worktreeCreate("w"),
			fleet.worktreeRemove(tree, "w", { deleteBranch: false }),
			fleet.sessionCreate({
				...session,
				cwd: "/w",
				agent: "w",
				role: "r",
				module: "m",
				runId: "r1",
			}),
			fleet.sessionLaunch(session),
			fleet.sessionExists("w"),
			fleet.sessionKill("w"),
			fleet.sessionRestart("w", pin),
			fleet.send("w", "x"),
			fleet.inbox(),
			fleet.sent(),
			fleet.detect("x", "claude"),
			fleet.monitorStart({ ...ANY_JOB }),
			fleet.monitorList(),
			fleet.monitorShow("j"),
			fleet.monitorStop("j"),
			fleet.monitorDelete("j"),
			fleet.stateGet("k", "s"),
			fleet.stateScopes("k"),
		];
	};
	const ANY_JOB = {
		name: "j",
		argv: ["x"],
		match: "",
		to: "a",
		cwd: "/",
		env: {},
		schedule: "* * * * *",
		notifyOnSuccess: true,
	};

	test("no call says anything of the fleet where there is no program", async () => {
		rig.doors.files.remove("/usr/bin/thrum");
		rig.doors.proc.answer("git", 1);
		const fleet = thrumFleet(rig.ctx, rig.ctx.place);
		for (const call of everyCall(fleet))
			expect(await call).toMatchObject({
				kind: "unreachable",
				stderr: "no program thrum on PATH",
			});
		expect(await fleet.capture("w")).toMatchObject({
			ok: false,
			failure: "error",
		});
		expect((await fleet.captureDoc("w")).ok).toBe(false);
		expect((await fleet.sendText("w", "x")).exitCode).toBe(1);
	});

	test("nor where its daemon is down", async () => {
		const error = "Error: dial unix /r/thrum.sock: connection refused";
		rig.doors.proc.answer("git", 1);
		const fleet = build([], () => ({ error }));
		const [caps, ...others] = everyCall(fleet);
		expect((await caps)?.kind).toBe("ok");
		for (const [at, call] of others.entries()) {
			const asked = await call;
			// A prompt is read here, whoever is down.
			const isRead = asked.kind === "ok" && asked.value === null;
			expect([at, isRead || asked.kind]).toEqual([
				at,
				isRead ? true : "unreachable",
			]);
		}
	});

	test.each([
		[
			{ kind: "failed", reason: "EACCES" },
			"unreachable",
			"thrum inbox --limit: EACCES",
		],
		[{ kind: "aborted" }, "failed", "thrum inbox --limit: aborted"],
		[
			{ kind: "timeout", stdout: "", stderr: "" },
			"timeout",
			"thrum inbox --limit: no answer in time",
		],
	] as const)("%j is told as it is", async (ran, kind, stderr) => {
		const fleet = build([]);
		rig.doors.proc.answer("thrum", ran);
		expect(await fleet.inbox()).toMatchObject({ kind, stderr });
	});

	test("a file that nobody can run is no program, nor is an empty word of PATH", async () => {
		rig.doors.files.seed("/usr/bin/thrum", "", { mode: 0o644 });
		rig.doors.files.seed("thrum", "", { mode: 0o755 });
		rig.doors.proc.env.PATH = ":/usr/bin";
		const fleet = thrumFleet(rig.ctx, rig.ctx.place);
		expect((await fleet.inbox()).kind).toBe("unreachable");
	});
});

describe("a session", () => {
	const REQUEST = {
		session: "w",
		cwd: "/w",
		agent: "w",
		role: "r",
		module: "m",
		model: "m",
		effort: "low",
		runId: "run-1",
	};

	test("carries the tag of its run, and only that run ends it", async () => {
		const { model } = rig.doors.tmux;
		const fleet = build([], (line) => {
			if (line.startsWith("tmux create"))
				model.window(model.session("w.named"), "w");
			return line.startsWith("tmux create") ? '{"session":"w.named"}' : "";
		});
		value(await fleet.sessionCreate(REQUEST));
		expect(model.sessions.at(-1)?.options["@fleet-run"]).toBe("run-1");
		const kill = (name: string, onlyRunId?: string) =>
			fleet.sessionKill(name, onlyRunId === undefined ? {} : { onlyRunId });
		expect(value(await kill("w.named", "run-2"))).toBe(false);
		expect(value(await kill("w", "run-1"))).toBe(false);
		expect(calls().filter((line) => line.includes("kill"))).toEqual([]);
		expect(value(await kill("w.named", "run-1"))).toBe(true);
		expect(value(await kill("other"))).toBe(true);
		expect(calls().filter((line) => line.includes("kill"))).toEqual([
			"tmux kill w.named",
			"tmux kill other",
		]);
		rig.doors.tmux.fail("sessions", {
			kind: "failed",
			rc: 1,
			stderr: "lost server",
		});
		expect((await kill("w.named", "run-1")).kind).toBe("unreachable");
	});

	test("that was not made is not tagged, and one that is gone was not ended", async () => {
		const fleet = build([], () => ({ error: "Error: session w not found" }));
		expect((await fleet.sessionCreate(REQUEST)).kind).toBe("not-found");
		expect(value(await fleet.sessionKill("w"))).toBe(false);
	});

	test("that was restarted says how much was kept of it", async () => {
		const pin = { model: "m", effort: "low" };
		const kept = build([], () => '{"session":"w","snapshot_lines":7}');
		expect(value(await kept.sessionRestart("w", pin))).toEqual({
			snapshotLines: 7,
		});
		const silent = build([], () => "done");
		expect(value(await silent.sessionRestart("w", pin))).toEqual({
			snapshotLines: 0,
		});
		expect(
			value(await silent.sessionLaunch({ ...pin, session: "w", runtime: "c" })),
		).toEqual({});
	});

	test("exists by its whole name", async () => {
		const fleet = build([], () => '{"sessions":[{"name":"w"},{"name":"x"}]}');
		expect(value(await fleet.sessionExists("w"))).toBe(true);
		expect(value(await fleet.sessionExists("w2"))).toBe(false);
	});
});

describe("a worktree", () => {
	test.each([
		[
			'✓ Worktree reused\n{"worktree_path":"/w","branch":"theirs"}',
			{},
			0,
			{ path: "/w", branch: "theirs", reused: true, branchCreated: false },
		],
		[
			'say ✓ Worktree reused\n{"worktree_path":"/w"}',
			{},
			1,
			{ path: "/w", branch: "feature/w", reused: false, branchCreated: true },
		],
		[
			'{"worktree_path":"/w"}',
			{ branch: "mine" },
			1,
			{ path: "/w", branch: "mine", reused: false, branchCreated: true },
		],
	] as const)("of %j", async (answer, o, stood, made) => {
		const fleet = build([], () => answer);
		rig.doors.proc.answer("git", stood);
		expect(value(await fleet.worktreeCreate("w", o))).toEqual(made);
		const asked = rig.doors.proc.execs.find(
			({ argv }) => argv[0] !== "/usr/bin/thrum",
		);
		expect(asked?.argv.at(-1)).toBe(
			`refs/heads/${"branch" in o ? "mine" : "feature/w"}`,
		);
	});
});

describe("mail and panes", () => {
	test("nothing unread is an empty list; limits are thrum's own default or the caller's", async () => {
		const fleet = build([], () => " \n");
		expect(value(await fleet.inbox())).toEqual([]);
		await fleet.inbox({ unread: true, limit: 3 });
		await fleet.sent({ to: "w" });
		await fleet.monitorList();
		await fleet.monitorList({ all: true });
		expect(calls()).toEqual([
			"inbox --limit 50 --json",
			"inbox --unread --limit 3 --json",
			"sent --to @w --limit 50 --json",
			"monitor list --json",
			"monitor list --all --json",
		]);
	});

	test("state is shown by scope and listed by kind", async () => {
		const fleet = build([], (line) =>
			line.startsWith("state list")
				? '{"entries":[{"scope":"a"},{"no":1},{"scope":"b"}]}'
				: '{"entry":{"value":{"x":1}}}',
		);
		expect(value(await fleet.stateScopes("k"))).toEqual(["a", "b"]);
		expect(value(await fleet.stateGet("k", "a"))).toEqual({ x: 1 });
	});

	test("nothing to type is not typed; a failed send says thrum's words", async () => {
		const fleet = build([], () => ({ error: "Error: pane is busy" }));
		expect(await fleet.sendText("w", " \x1b")).toEqual({
			exitCode: 1,
			verdict: "error",
			detail: "nothing to type",
		});
		expect(calls()).toEqual([]);
		expect(await fleet.sendText("w", "x")).toMatchObject({
			exitCode: 1,
			detail: "pane is busy",
		});
	});

	test("a picture says how it came, a proxy's failure is told from others", async () => {
		const seen = build([], () => "text");
		expect(await seen.capture("w")).toEqual({
			ok: true,
			text: "text",
			route: "primary",
		});
		await seen.captureDoc("w", { lines: 9 });
		expect(calls().at(-1)).toBe("tmux capture w --lines 9 --format=json");
		const lost = build([], () => ({ error: "Error: peer unreachable" }));
		expect(await lost.capture("w")).toMatchObject({ failure: "proxy" });
		const unknown = build(["tmux capture"], () => '{"sessions":[]}');
		expect(await unknown.capture("w")).toMatchObject({
			failure: "not-found",
			detail: "no session of agent @w",
		});
	});
});
