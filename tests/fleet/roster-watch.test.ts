import { describe, expect, test } from "bun:test";
import { ok } from "../../monitor/_fleet/failure.ts";
import type {
	CaptureDoc,
	Fleet,
	FleetFailure,
	Member,
} from "../../monitor/_fleet/fleet.ts";
import { readRequest } from "../../resources/_roster-watch/args.ts";
import {
	classifyBothFailed,
	liveProof,
} from "../../resources/_roster-watch/classify.ts";
import { judgeSummary } from "../../resources/_roster-watch/jev-gate.ts";
import { runRosterPass } from "../../resources/_roster-watch/pass.ts";
import {
	incidentLine,
	type Wake,
	wakeDecision,
} from "../../resources/_roster-watch/wake.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { memberOf, type Pictures, stubFleet, unseen } from "./stub-fleet.ts";

const T = "/srv/app/.thrum";
const WORKTREE = "/srv/app/.worktrees/night";
const OUT = `${T}/agents/night/watch-captures`;
/** 2026-01-01T12:30:15Z. */
const START = 1_767_270_615;
const AT = "2026-01-01T12:30:15.000000Z";
const STAMP = "20260101-123015-000000";
const FILE = `${OUT}/roster-capture-${STAMP}.txt`;
const READY = `roster capture ready: ${FILE} (${AT})`;
const PLAIN = `${READY} — reconcile roster state and linked queue waits`;
const DENIED = unseen("caller lacks required capability tmux.capture");
const GONE = unseen("no session");

interface Setting {
	readonly params?: object | string;
	readonly pictures?: Pictures;
	readonly members?: Readonly<Record<string, Member | null | FleetFailure>>;
	readonly fleet?: Partial<Fleet>;
	readonly env?: Record<string, string>;
}

function world({
	params,
	pictures = {},
	members = {},
	fleet: part,
	env = {},
}: Setting) {
	const doors = fakeDoors({ auto: true, now: START, proc: { env } });
	doors.files.seedDir(T);
	const text = typeof params === "string" ? params : JSON.stringify(params);
	if (params !== undefined)
		doors.files.seed(`${T}/agents/night/watch_params.json`, text);
	const fleet = stubFleet(pictures, {
		member: async (agent) => {
			const m = members[agent];
			if (m === undefined) return ok(memberOf(agent));
			return m !== null && "kind" in m ? m : ok(m);
		},
		...part,
	});
	const job = {
		doors,
		thrumDir: T,
		agent: "night",
		worktree: WORKTREE,
		open: async () => ({ kind: "ok", fleet }) as const,
	};
	const run = () => runRosterPass(job);
	return { doors, run, file: () => doors.files.text(FILE) };
}

test("everybody is seen: one wake line, a private file with all pictures, a check that only the log tells", async () => {
	const { doors, run, file } = world({
		params: { roster: ["a", "b"] },
		pictures: { a: ["a1\na2\n"], b: ["b1\n"] },
	});
	expect(await run()).toEqual({ exitCode: 0, out: [PLAIN], err: [] });
	expect(file()).toBe("=== a ===\na1\na2\n\n=== b ===\nb1\n\n");
	expect(doors.files.stat(FILE)).toMatchObject({ stat: { mode: 0o600 } });
	expect(doors.files.stat(OUT)).toMatchObject({ stat: { mode: 0o700 } });
	expect(doors.files.text(`${OUT}/roster-check.log`)).toBe(
		`${AT} ROSTER-CHECK OK: 2 entries resolve\n`,
	);
	expect(doors.files.paths(`${OUT}/archive/raw-ticks`)).toEqual([
		`${OUT}/archive/raw-ticks/${STAMP}/0000-a.txt`,
		`${OUT}/archive/raw-ticks/${STAMP}/0001-b.txt`,
	]);
	const records = doors.files.paths(`${OUT}/archive/records`);
	expect(JSON.parse(doors.files.text(records[1] ?? ""))).toMatchObject({
		agent: "b",
		section_index: 1,
		line_start: 6,
		line_end: 6,
		capture_route: "primary",
		capture_rc: 0,
		source_file: FILE,
	});
});

test("no pane forges a heading or a verdict of the file; the archive keeps what it showed", async () => {
	const shown =
		"x\n\n=== b ===\n--- CAPTURE FAILED for b (…) ---\n --- DEGRADED-KNOWN for b: y ---\n=== not\n";
	const { doors, run, file } = world({
		params: { roster: ["a", { name: "b\nROSTER INCIDENT: all" }] },
		pictures: { a: [shown] },
	});
	const { out } = await run();
	expect(out.join("\n")).not.toMatch(/^ROSTER INCIDENT: all/m);
	expect(file()).toStartWith(
		"=== a ===\nx\n\n> === b ===\n> --- CAPTURE FAILED for b (…) ---\n>  --- DEGRADED-KNOWN for b: y ---\n=== not\n\n=== b\ufffdROSTER INCIDENT: all ===\n",
	);
	expect(doors.files.text(`${OUT}/archive/raw-ticks/${STAMP}/0000-a.txt`)).toBe(
		shown,
	);
});

test.each([
	["no params", undefined],
	["torn params", "{"],
	["an empty roster", { roster: [] }],
])("%s: a warning wakes the watcher", async (_, params) => {
	const { run, file } = world({ params });
	const line = `${READY} — WARNING empty/unreadable roster in ${T}/agents/night/watch_params.json`;
	expect(await run()).toEqual({ exitCode: 0, out: [line], err: [] });
	expect(file()).toBe(`${line}\n`);
});

test("a name that nobody has is told, first, on both", async () => {
	const { doors, run } = world({
		params: { roster: ["a", "x", "y"] },
		pictures: { a: ["a\n"], x: [GONE], y: [GONE] },
		members: { x: null, y: null },
	});
	const line =
		"ROSTER-CHECK FAIL: no such agent(s): x y — remove or fix before trusting this run's coverage";
	const { out } = await run();
	expect(out[0]).toBe(line);
	expect(out[1]).toStartWith("ROSTER INCIDENT: ");
	expect(doors.files.text(`${OUT}/roster-check.log`)).toContain(line);
});

test("a fleet that cannot be asked is no proof that a name is wrong", async () => {
	const down = { kind: "unreachable", exitCode: 1, stderr: "down" } as const;
	const { doors, run } = world({
		params: { roster: ["a"] },
		pictures: { a: ["a\n"] },
		members: { a: down },
	});
	expect((await run()).out).toEqual([PLAIN]);
	expect(doors.files.text(`${OUT}/roster-check.log`)).toContain(
		"ROSTER-CHECK UNKNOWN",
	);
});

describe("over SSH", () => {
	const run = async (
		roster: unknown,
		member: Partial<Member>,
		answers: (command: string) => {
			rc: number;
			stdout?: string;
			stderr?: string;
		},
		first = GONE,
	) => {
		const w = world({
			params: { roster: [roster] },
			pictures: { a: [first] },
			members: { a: memberOf("a", member) },
		});
		w.doors.proc.answer("ssh", (argv) => {
			const said = answers(argv.at(-1) ?? "");
			return { kind: "exited", stdout: "", stderr: "", ...said };
		});
		const { out } = await w.run();
		const commands = w.doors.proc.execs.map(({ argv }) => argv);
		return { out, commands, file: w.file(), w };
	};
	const declared = { agent_id: "a", hostname: "box", tmux_session: "s" };

	test("a declared member is captured by the exact name of its session", async () => {
		const { out, commands, file } = await run(declared, {}, () => ({
			rc: 0,
			stdout: "far\n",
		}));
		expect(out).toEqual([PLAIN]);
		expect(file).toBe("=== a ===\nfar\n\n");
		const quiet = ["-n", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5"];
		const alive = [
			"-o",
			"ServerAliveInterval=5",
			"-o",
			"ServerAliveCountMax=1",
		];
		expect(commands).toEqual([
			[
				"ssh",
				...quiet,
				...alive,
				"box",
				"tmux capture-pane -p -J -t '=s:' -S -30",
			],
		]);
	});

	test("else the first session that exists of three names on its host", async () => {
		const member = {
			hostname: "box",
			isLocal: false,
			worktree: "/w/app.night",
		};
		const { commands, out } = await run("a", member, (command) =>
			command.includes("=app-night:")
				? { rc: 0, stdout: "far\n" }
				: { rc: 1, stderr: "can't find session" },
		);
		expect(out).toEqual([PLAIN]);
		expect(
			commands.map((argv) => /=(.*):/.exec(argv.at(-1) ?? "")?.[1]),
		).toEqual(["a", "app.night", "app-night"]);
	});

	test("a host that cannot be reached is asked once", async () => {
		const member = { hostname: "box", isLocal: false, worktree: "/w/b" };
		const { commands, file, out } = await run("a", member, () => ({
			rc: 255,
			stderr: "ssh: refused\n",
		}));
		expect(commands).toHaveLength(1);
		expect(file).toBe(
			"=== a ===\nno session\n--- SSH fallback failed for a (exit 255) ---\nssh: refused\n--- CAPTURE FAILED for a (nonzero exit — NOT an empty pane) ---\n\n",
		);
		expect(out).toEqual([
			`ROSTER INCIDENT: tmux capture failed for a; inspect ${FILE}`,
			PLAIN,
		]);
	});

	test.each([
		[
			"half an address",
			{ agent_id: "a", hostname: "box" },
			{ hostname: "other", isLocal: false },
		],
		[
			"the other half",
			{ agent_id: "a", tmux_session: "s" },
			{ hostname: "other", isLocal: false },
		],
		["no host", "a", {}],
		["this machine", "a", { hostname: "HOST-A.local", isLocal: false }],
		[
			"an option for a host",
			{ agent_id: "a", hostname: "-oProxyCommand=x", tmux_session: "s" },
			{},
		],
	])("is not tried with %s", async (_, entry, member) => {
		const { commands, file } = await run(entry, member, () => ({
			rc: 0,
			stdout: "far\n",
		}));
		expect(commands).toEqual([]);
		expect(file).not.toContain("SSH fallback");
		expect(file).toContain("--- CAPTURE FAILED for a");
	});

	test("a denied capture of a remote agent whose process runs is known to be degraded", async () => {
		const stat = `77 (a b) ${Array.from({ length: 19 }, () => "S").join(" ")} 4711 0`;
		const member = {
			hostname: "box",
			isLocal: false,
			agentPid: 77,
			agentStart: "4711",
		};
		const { out, file, w } = await run(
			"a",
			member,
			(command) =>
				command.startsWith("cat /proc/77/stat")
					? { rc: 0, stdout: stat }
					: { rc: 1 },
			DENIED,
		);
		expect(out[0]).toStartWith(
			"DEGRADED-KNOWN: tmux capture capability-denied/empty binding for a but LIVE",
		);
		expect(out[1]).toBe(PLAIN);
		expect(file).toContain("--- DEGRADED-KNOWN for a: ");
		const [record = ""] = w.doors.files.paths(`${OUT}/archive/records`);
		expect(JSON.parse(w.doors.files.text(record))).toMatchObject({
			failure_state: "capture_failed",
			capture_route: "both_failed",
			primary_rc: 1,
			ssh_rc: 1,
		});
	});
});

describe("proof of life", () => {
	const seen = (seconds: number) =>
		new Date((START - seconds) * 1000).toISOString();
	test.each([
		["its process runs", {}, "runs", "pid"],
		["its process is gone", {}, "gone", null],
		["nobody could look", {}, "unknown", null],
		["the fleet calls it dead", { state: "dead" }, "runs", null],
		["the fleet calls it alive", { state: "alive" }, "runs", "pid"],
		[
			"seen a moment ago, with a session",
			{ lastSeen: seen(0), sessionId: "s" },
			"gone",
			"last-seen",
		],
		[
			"seen 899 s ago, with mail",
			{ lastSeen: seen(899), inboxTotal: 1 },
			"unknown",
			"last-seen",
		],
		[
			"seen 900 s ago",
			{ lastSeen: seen(900), sessionId: "s" },
			"unknown",
			null,
		],
		[
			"seen 899 s ahead",
			{ lastSeen: seen(-899), sessionId: "s" },
			"unknown",
			"last-seen",
		],
		[
			"seen 900 s ahead",
			{ lastSeen: seen(-900), sessionId: "s" },
			"unknown",
			null,
		],
		["seen, but nobody", { lastSeen: seen(0), inboxTotal: 0 }, "unknown", null],
		["seen some time", { lastSeen: "lately", sessionId: "s" }, "unknown", null],
	] as const)("%s", (_, part, pid, proof) =>
		expect(liveProof(memberOf("a", part), START, pid)).toBe(proof),
	);

	test.each([
		["Local agent not found", "pid", "degraded"],
		["an EMPTY tmux binding", "pid", "degraded"],
		["proxy has no capability", "last-seen", "degraded"],
		["capability tmux denied", "pid", "degraded"],
		["peer b is unreachable", "pid", "degraded"],
		["circuit open", "pid", "degraded"],
		["dial skipped", "pid", "degraded"],
		["circuit open", null, "failed"],
		["no such session", "pid", "failed"],
	] as const)("%j with proof %p is %s", (text, proof, kind) =>
		expect(classifyBothFailed(text, proof)).toBe(kind),
	);

	test.each([
		["runs, as recorded", "770", "DEGRADED"],
		["was started anew", "5", "FAILED"],
	])("a local pid that %s", async (_, agentStart, verdict) => {
		const w = world({
			params: { roster: ["a"] },
			pictures: { a: [DENIED] },
			members: { a: memberOf("a", { agentPid: 77, agentStart }) },
		});
		w.doors.proc.add({ pid: 77 });
		await w.run();
		expect(w.file()).toContain(verdict);
	});
});

describe("incidents", () => {
	test.each([
		["", null, null],
		["a b", null, "ROSTER INCIDENT: tmux capture failed for a b; inspect F"],
		["a b", "a", "ROSTER INCIDENT: tmux capture failed for a b; inspect F"],
		["a", "a b", "ROSTER INCIDENT: tmux capture failed for a; inspect F"],
		["a b", "a b", "roster incident persists unchanged for a b; inspect F"],
		["", "a b", "roster incident cleared for a b; inspect F"],
	])("%j after %p", (now, before, line) =>
		expect(incidentLine(now, before, "F")).toBe(line),
	);

	test("are told once, then persist, then are cleared", async () => {
		const { doors, run } = world({
			params: { roster: ["a"] },
			pictures: { a: [GONE, GONE, "back\n"] },
		});
		const firsts = [];
		for (let n = 0; n < 4; n++) {
			firsts.push((await run()).out[0]?.split(":", 1)[0]?.split(" for ", 1)[0]);
			await doors.clock.advance(600_000);
		}
		expect(firsts).toEqual([
			"ROSTER INCIDENT",
			"roster incident persists unchanged",
			"roster incident cleared",
			"roster capture ready",
		]);
		expect(doors.files.has(`${OUT}/.last-failed-roster`)).toBe(false);
	});
});

test("archive trouble takes the wake line, is written down, and fails nothing", async () => {
	const { doors, run, file } = world({
		params: { roster: ["a"] },
		pictures: { a: ["a\n"] },
	});
	doors.files.seed(`${OUT}/archive/records`, "a file where a folder should be");
	const end = await run();
	expect(end).toEqual({
		exitCode: 0,
		out: [
			`${READY} — ARCHIVE-DEGRADED: agent:a; inspect archive/health and archive-errors.log`,
		],
		err: [],
	});
	expect(file()).toContain("=== a ===");
	const health = doors.files.text(
		`${OUT}/archive/health/${STAMP}_agent_a.json`,
	);
	expect(JSON.parse(health)).toMatchObject({
		schema_version: "roster-capture-archive-health-v1",
		status: "archive_degraded",
	});
	expect(doors.files.has(`${OUT}/archive/archive-health.log`)).toBe(true);
	expect(doors.files.has(`${OUT}/archive-errors.log`)).toBe(true);
});

test("the archive of an older copy moves in once", async () => {
	const setting = { params: { roster: ["a"] }, pictures: { a: ["a\n"] } };
	const { doors, run } = world(setting);
	const legacy = `${WORKTREE}/.thrum-watch/archive`;
	doors.files.seed(`${legacy}/raw/old.bin`, "old");
	await run();
	expect(doors.files.text(`${OUT}/archive/raw/old.bin`)).toBe("old");
	doors.files.seed(`${legacy}/raw/newer.bin`, "newer");
	await run();
	expect(doors.files.has(`${legacy}/raw/newer.bin`)).toBe(true);
});

describe("with the classifier", () => {
	const KEY = { THRUM_TYPESAFE_KEY: "k" };
	const mock = (classes: object) => ({
		...KEY,
		ROSTER_JEV_FILTER_MOCK_JSON: JSON.stringify(classes),
	});
	const doc = (agent: string, lines = ["● calm", "❯ "]): CaptureDoc => ({
		agent,
		ok: true,
		lines,
		lineCount: lines.length,
		footer: null,
		ghostLines: [],
	});
	const jev = (env: Record<string, string>, part: Setting = {}) =>
		world({
			params: { roster: ["a", "b"], use_jev: true },
			fleet: { captureDoc: async (agent) => doc(agent) },
			env,
			...part,
		});

	test("a calm roster wakes nobody: the quiet marker is the last line", async () => {
		const { doors, run } = jev(mock({ a: "ordinary", b: "ordinary" }));
		const { out } = await run();
		expect(out).toEqual([
			`roster capture archived, jev filter found no watcher-needed panes: ${FILE} (${AT})`,
			"THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1",
		]);
		const dir = `${OUT}/decisions/${STAMP}`;
		expect(doors.files.paths(dir)).toEqual([
			`${dir}/decisions.jsonl`,
			`${dir}/manifest.jsonl`,
			`${dir}/summary.json`,
		]);
	});

	test("a prompt wakes", async () => {
		const { run } = jev(mock({ a: "ordinary", b: "active_permission_prompt" }));
		expect((await run()).out).toEqual([
			`${READY} — active permission prompt or blocking user choice (1 agent(s)); decisions archived`,
		]);
	});

	test.each([
		["nobody answers for one", { a: "ordinary" }],
		[
			"one is not sure",
			{ a: "ordinary", b: { class: "ordinary", confidence: 0.7 } },
		],
		[
			"one is no readable pane",
			{ a: "ordinary", b: "failed_or_ambiguous_capture" },
		],
		["the provider fails", { a: "ordinary", b: "api_error" }],
	])("%s: the plain wake, with a warning", async (_, classes) => {
		const { out, err } = await jev(mock(classes)).run();
		expect(out).toEqual([PLAIN]);
		expect(err[0]).toStartWith("JEV filter not used: ");
	});

	test("a member that is only a picture, without a document, is not kept quiet", async () => {
		const { run } = jev(mock({ a: "ordinary", b: "ordinary" }), {
			pictures: { b: ["b\n"] },
			fleet: {
				captureDoc: async (agent) =>
					agent === "a" ? doc(agent) : { ...doc(agent), ok: false, lines: [] },
			},
		});
		expect((await run()).out).toEqual([PLAIN]);
	});

	test.each([
		["no key", {}, true],
		["an empty key", { OPENROUTER_API_KEY: "" }, true],
	])(
		"%s: said on stderr, nobody is asked, nothing is written",
		async (_, env, use_jev) => {
			const { doors, run } = world({
				params: { roster: ["a"], use_jev },
				pictures: { a: ["a\n"] },
				env,
			});
			expect(await run()).toEqual({
				exitCode: 0,
				out: [PLAIN],
				err: ["JEV requested but no key found — skipped"],
			});
			expect(doors.net.requests).toEqual([]);
			expect(doors.files.paths(`${OUT}/decisions`)).toEqual([]);
		},
	);

	test("only a literal true asks for it", async () => {
		const { run } = world({
			params: { roster: ["a"], use_jev: "true" },
			pictures: { a: ["a\n"] },
			env: mock({ a: "ordinary" }),
		});
		expect(await run()).toEqual({ exitCode: 0, out: [PLAIN], err: [] });
	});

	test("a key in the worktree's .env is read, never run", async () => {
		const env = {
			ROSTER_JEV_FILTER_MOCK_JSON: '{"a":"ordinary","b":"ordinary"}',
		};
		const { doors, run } = jev(env);
		doors.files.seed(`${WORKTREE}/.env`, "OPENROUTER_API_KEY=k\n");
		expect((await run()).out).toContain("THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1");
	});

	test("its summary must cover exactly the roster", () => {
		const row = (agent: string) =>
			({
				agent,
				class: "ordinary",
				status: "ok",
				route: "archive_only",
				reason: "confident_ordinary",
				confidence: 0.9,
				category: null,
				provider: null,
			}) as const;
		expect(
			judgeSummary({ results: [row("b"), row("a")] }, ["a", "b"]).kind,
		).toBe("ok");
		expect(judgeSummary({ results: [row("a")] }, ["a", "b"]).kind).toBe(
			"not-ok",
		);
		expect(
			judgeSummary({ results: [row("a"), row("b"), row("c")] }, ["a", "b"])
				.kind,
		).toBe("not-ok");
	});
});

describe("the wake line, first hit", () => {
	const calm: Wake = {
		file: "F",
		at: "T",
		degraded: [],
		failed: [],
		failedBefore: null,
		archiveTrouble: [],
		checkFailed: false,
		checkLog: "L",
		filter: { kind: "ok", attention: 0 },
	};
	const HEAD = "roster capture ready: F (T)";
	const PLAIN_LINE = `${HEAD} — reconcile roster state and linked queue waits`;
	test.each([
		[
			{ archiveTrouble: ["source"], checkFailed: true },
			`${HEAD} — ARCHIVE-DEGRADED: source; inspect archive/health and archive-errors.log`,
		],
		[
			{ checkFailed: true, failedBefore: "a" },
			`${HEAD} - ROSTER-CHECK FAIL; inspect L`,
		],
		[
			{ failedBefore: "a", filter: { kind: "not-ok" } },
			`${HEAD} - roster incident cleared; inspect F`,
		],
		[{ filter: { kind: "not-ok" } }, PLAIN_LINE],
		[
			{ filter: { kind: "ok", attention: 2 }, failed: ["a"] },
			`${HEAD} — active permission prompt or blocking user choice (2 agent(s)); decisions archived`,
		],
		[{ failed: ["a"] }, PLAIN_LINE],
		[{ degraded: ["a"] }, PLAIN_LINE],
		[{}, "THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1"],
		[{ filter: null, checkFailed: true, failedBefore: "a" }, PLAIN_LINE],
	] as const)("%j", (part, line) =>
		expect(wakeDecision({ ...calm, ...part }).at(-1)).toBe(line),
	);
});

test.each([
	[["--prune-roster-captures", "/x"], "/w/.thrum-watch", 0],
	[["--prune-roster-captures"], "/w/.thrum-watch", 2],
	[["--prune-roster-captures", "/x", "/y"], "/w/.thrum-watch", 2],
	[["--loop"], "/w/.thrum-watch", 2],
	[["--help"], "/w/.thrum-watch", 0],
	[[], "/srv/nexus/resources", 1],
	[[], "/p/skills/persistent-watcher-archetype/resources", 1],
	[[], "/w/.thrum-watch", null],
])("%j from %s ends with %p before the pass", (argv, dir, code) => {
	const request = readRequest(argv, dir);
	const ended: number | null =
		request.kind === "end" ? request.end.exitCode : null;
	expect(ended).toBe(code);
});
