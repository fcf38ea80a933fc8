/** The respawn's thin parts on fake doors: flight, guards with their files, launcher, window, resume choice (contract 04 §11–§15). */
import { beforeEach, describe, expect, test } from "bun:test";
import { DEFAULT_TIMINGS } from "../../monitor/_delivery/timings.ts";
import { unreadReports } from "../../monitor/_delivery/unread-reports.ts";
import {
	checkRespawnLoop,
	countRespawnFailure,
	passSlowGrind,
} from "../../monitor/_liveness/pass-respawn-guard.ts";
import { clearRespawnAlarm } from "../../monitor/_state/respawn-alarm.ts";
import { readRespawn } from "../../monitor/_state/respawn-bg.ts";
import { clearRespawnFailures } from "../../monitor/_state/respawn-failures.ts";
import { respawnAgent } from "../../monitor/watcher/_respawn/agent.ts";
import { renderOrchestratorLauncher } from "../../monitor/watcher/_respawn/launcher.ts";
import {
	learnBrief,
	learnDeath,
	learnEnd,
	learnPresence,
} from "../../monitor/watcher/_respawn/learn-start.ts";
import {
	decideResume,
	type ResumeMode,
	sessionBefore,
} from "../../monitor/watcher/_respawn/resume-choice.ts";
import { respawnSettings } from "../../monitor/watcher/_respawn/settings.ts";
import { sessionFor } from "../../monitor/watcher/_respawn/window.ts";
import {
	chooseResumeMode,
	type RespawnDeps,
	respawnOrchestrator,
} from "../../monitor/watcher/_respawn.ts";
import {
	type RespawnFlight,
	respawnFlight,
} from "../../monitor/watcher/_respawn_async.ts";
import {
	renderFresh,
	renderResume,
} from "../../monitor/watcher/_respawn_prompts.ts";
import { spawnFresh } from "../../monitor/watcher/_spawn_fresh.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { REFUSED } from "../fakes/tmux.ts";
import { STATE, watcherConfig } from "../watcher/watcher-rig.ts";

const SID = "aaaaaaaa-0000-4000-8000-000000000000";
const HOME = { root: "/root", stateDir: STATE, codeRoot: "/code" };
let doors: FakeDoors;

beforeEach(() => {
	doors = fakeDoors({ auto: true, proc: { env: { HOME: "/home/op" } } });
	doors.files.seedDir(STATE);
	doors.tmux.window("shell");
});
const text = (name: string) => doors.files.text(`${STATE}/${name}`);
const has = (name: string) => doors.files.has(`${STATE}/${name}`);

describe("resume or fresh", () => {
	const transcript = `/home/op/.claude/projects/-root/${SID}.jsonl`;
	test.each([
		[
			"a pin with its transcript",
			SID,
			true,
			{ kind: "resume", sessionId: SID },
		],
		["a pin without one", SID, false, { kind: "fresh" }],
		["a malformed pin", "nonsense", true, { kind: "fresh" }],
		["no pin", null, true, { kind: "fresh" }],
	] as const)("%s", (_name, pin, isThere, expected) => {
		if (pin !== null)
			doors.files.seed(`${STATE}/orchestrator-session-id`, `${pin}\n`);
		if (isThere) doors.files.seed(transcript, "");
		expect(chooseResumeMode(doors, HOME)).toEqual(expected);
	});
});

describe("the session whose queue is lost with a start", () => {
	const [A, B, C] = ["a", "b", "c"].map(
		(digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`,
	) as [string, string, string];
	const fresh: ResumeMode = { kind: "fresh" };
	test.each<[string, ResumeMode, Record<string, string>, string | null]>([
		["is the one that is resumed", { kind: "resume", sessionId: A }, {}, A],
		[
			"is the one that a fresh one replaces",
			{ kind: "fresh", insteadOf: A },
			{ "": B },
			A,
		],
		["is the pin's", fresh, { "": A, ".archived.200": B }, A],
		[
			"is that of the pin which was put aside last",
			fresh,
			{ ".archived.9": C, ".archived.100": A, ".archived.20": B },
			A,
		],
		["is nobody's without a pin", fresh, {}, null],
		[
			"is none that a damaged pin names",
			fresh,
			{ ".archived.9": "nonsense" },
			null,
		],
	])("%s", (_what, mode, pins, expected) => {
		for (const [suffix, pin] of Object.entries(pins))
			doors.files.seed(`${STATE}/orchestrator-session-id${suffix}`, `${pin}\n`);
		expect(sessionBefore(doors, STATE, mode)).toBe(expected);
	});
});

describe("a session that ends each time it is resumed", () => {
	const OTHER = "bbbbbbbb-0000-4000-8000-000000000000";
	const known = (...ids: string[]) => ({
		isKnown: (id: string) => ids.includes(id),
	});

	test("is resumed twice, then a fresh one is tried, and when that ends, too, it has its turn again", () => {
		const started: string[] = [];
		let pin = SID;
		for (let i = 0; i < 7; i++) {
			const past = has("orchestrator-resume-deaths")
				? {
						sessionId: SID,
						deaths: Number(
							/deaths=(\d+)/.exec(text("orchestrator-resume-deaths"))?.[1],
						),
					}
				: null;
			const mode = decideResume(pin, past, known(SID).isKnown);
			started.push(mode.kind);
			if (mode.kind === "fresh") expect(mode.insteadOf).toBe(SID);
			// The pin follows every start; a session that took no brief has no transcript.
			pin = mode.kind === "fresh" ? OTHER : mode.sessionId;
			learnDeath(doors, STATE, { mode: mode.kind, sessionId: pin });
		}
		expect(started).toEqual([
			...["resume", "resume", "fresh"],
			...["resume", "resume", "fresh", "resume"],
		]);
	});

	test("is forgotten once a start has lived for five minutes after its brief, and no sooner", async () => {
		const start = { mode: "resume", sessionId: SID } as const;
		learnDeath(doors, STATE, start);
		learnBrief(doors, STATE, start);
		await doors.clock.sleep(299_000);
		learnPresence(doors, STATE);
		expect(has("orchestrator-resume-deaths")).toBe(true);
		await doors.clock.sleep(1000);
		learnPresence(doors, STATE);
		expect(has("orchestrator-resume-deaths")).toBe(false);
		expect(has("orchestrator-start")).toBe(false);
	});

	test("is no concern of another session that the pin names by now", () => {
		const past = { sessionId: SID, deaths: 2 };
		expect(decideResume(OTHER, past, known(SID, OTHER).isKnown)).toEqual({
			kind: "resume",
			sessionId: OTHER,
		});
		learnDeath(doors, STATE, { mode: "resume", sessionId: SID });
		learnDeath(doors, STATE, { mode: "resume", sessionId: OTHER });
		expect(text("orchestrator-resume-deaths")).toBe(
			`session_id=${OTHER}\ndeaths=1\n`,
		);
	});

	test("a fresh session that ends is no fault of one that was never resumed", () => {
		learnDeath(doors, STATE, { mode: "fresh", sessionId: SID });
		expect(has("orchestrator-resume-deaths")).toBe(false);
	});

	test.each(["", "session_id=x\ndeaths=2\n", `session_id=${SID}\n`, "\0"])(
		"a damaged record of it (%j) gives no session up",
		(damaged) => {
			doors.files.seed(`${STATE}/orchestrator-resume-deaths`, damaged);
			doors.files.seed(`${STATE}/orchestrator-session-id`, `${SID}\n`);
			doors.files.seed(`/home/op/.claude/projects/-root/${SID}.jsonl`, "");
			expect(chooseResumeMode(doors, HOME)).toEqual({
				kind: "resume",
				sessionId: SID,
			});
		},
	);
});

describe("a start that takes its brief and ends soon after", () => {
	const start = { mode: "resume", sessionId: SID } as const;
	const limits = {
		loopWindowSeconds: 120,
		loopLimit: 3,
		failureLimit: 5,
		cooldownSeconds: 600,
	};
	const passes = () => passSlowGrind(doors, STATE, limits);
	/** Briefed, given a report, and gone after so many seconds. */
	const live = async (seconds: number) => {
		clearRespawnFailures(doors.files, STATE);
		learnBrief(doors, STATE, start);
		await doors.clock.sleep(seconds * 1000);
		clearRespawnFailures(doors.files, STATE);
		learnEnd(doors, STATE);
	};

	test("is a failure, whatever each brief and each report clears: the fifth in a row pauses the respawn, and after the pause one more does", async () => {
		for (let i = 0; i < 4; i++) {
			await live(20);
			expect(passes()).toBe("open");
		}
		await live(20);
		expect(passes()).toBe("paused");
		await doors.clock.sleep(600_000);
		expect(passes()).toBe("open");
		await live(299);
		expect(passes()).toBe("paused");
	});

	test("is counted at the first look that misses it, and once", async () => {
		await live(20);
		await doors.clock.sleep(2000);
		learnEnd(doors, STATE);
		expect(text("respawn-consecutive-failures.txt")).toStartWith("count=1\n");
		expect(text("orchestrator-start")).toContain("short_lives=1\n");
	});

	test("counts against the session that was resumed, so that a fresh one is tried at the third", async () => {
		await live(20);
		await live(20);
		expect(text("orchestrator-resume-deaths")).toBe(
			`session_id=${SID}\ndeaths=2\n`,
		);
	});

	test.each([
		["has lived for five minutes", 300],
		["is from before a clock that was set back an hour", -3600],
	])("is none when it %s", async (_what, seconds) => {
		await live(20);
		learnBrief(doors, STATE, start);
		doors.files.seed(
			`${STATE}/orchestrator-start`,
			text("orchestrator-start").replace(
				/started_at=\d+/,
				`started_at=${doors.clock.now() - seconds}`,
			),
		);
		learnEnd(doors, STATE);
		expect(has("orchestrator-start")).toBe(false);
		expect(has("orchestrator-resume-deaths")).toBe(false);
	});

	test.each(["", "started_at=5\n", "short_lives=x\nmode=fresh\n", "\0"])(
		"a damaged record (%j) is held against nobody",
		(damaged) => {
			doors.files.seed(`${STATE}/orchestrator-start`, damaged);
			learnEnd(doors, STATE);
			expect(has("respawn-consecutive-failures.txt")).toBe(false);
		},
	);
});

describe("the guards", () => {
	const limits = {
		loopWindowSeconds: 120,
		loopLimit: 3,
		failureLimit: 5,
		cooldownSeconds: 600,
	};
	const events = () =>
		has("action-log.jsonl") ? text("action-log.jsonl") : "";

	test("three respawns in the window block the fourth, told once and not recorded; malformed lines cost only themselves", () => {
		const now = doors.clock.now();
		const history = `x\n${now - 500} t\n${now - 90} t\n${now - 60} t\n${now - 30} t\n`;
		doors.files.seed(`${STATE}/respawn-history.txt`, history);
		for (let i = 0; i < 3; i++)
			expect(checkRespawnLoop(doors, STATE, limits)).toEqual({
				kind: "refused",
				reason: "crash-loop guard: 3 respawns within 120s (limit=3)",
			});
		expect(text("respawn-history.txt")).toBe(history);
		expect(has("respawn-guard-tripped")).toBe(true);
		expect(events().match(/respawn-loop-tripped/g)).toHaveLength(1);
		expect(text("watcher-alerts.log")).toMatch(
			/^\[.+\] ALERT respawn-loop-tripped: crash-loop guard: .+\n$/,
		);
	});

	test("the operator is rung on the edge, then by the hour for as long as no orchestrator works", async () => {
		const rings = () =>
			doors.proc.execs.filter(({ argv }) =>
				argv.join(" ").includes("the orchestrator is not respawned"),
			).length;
		countRespawnFailure(doors, STATE);
		for (let minute = 0; minute < 150; minute++) {
			for (let i = 0; i < 5; i++) countRespawnFailure(doors, STATE);
			passSlowGrind(doors, STATE, limits);
			checkRespawnLoop(doors, STATE, limits);
			await doors.clock.sleep(60_000);
		}
		expect(rings()).toBe(3);
		clearRespawnAlarm(doors.files, STATE);
		passSlowGrind(doors, STATE, limits);
		expect(rings()).toBe(4);
	});

	test("five failures a minute apart pass the burst guard and trip the slow one, for ten minutes", async () => {
		for (let i = 0; i < 5; i++) {
			expect(passSlowGrind(doors, STATE, limits)).toBe("open");
			expect(checkRespawnLoop(doors, STATE, limits).kind).toBe("allowed");
			countRespawnFailure(doors, STATE);
			await doors.clock.sleep(60_000);
		}
		expect(passSlowGrind(doors, STATE, limits)).toBe("paused");
		await doors.clock.sleep(599_000);
		expect(passSlowGrind(doors, STATE, limits)).toBe("paused");
		expect(events().match(/respawn-slow-grind-tripped/g)).toHaveLength(1);
		await doors.clock.sleep(2_000);
		expect(passSlowGrind(doors, STATE, limits)).toBe("open");
		expect(has("respawn-consecutive-failures.txt")).toBe(false);
	});
});

describe("one respawn beside the loop", () => {
	let flight: RespawnFlight;
	beforeEach(() => {
		flight = respawnFlight(doors, STATE, 60_000);
	});
	const pending = () => new Promise<number>(() => {});

	test("is on disk while it runs, and a second is refused", async () => {
		expect(flight.launch(pending)).toBe(0);
		expect(readRespawn(doors.files, STATE)).toEqual({
			pid: doors.proc.pid,
			startTicks: String(doors.proc.pid * 10),
			stage: { kind: "deciding" },
			rc: null,
		});
		expect(flight.launch(pending)).toBe(1);
		expect([flight.inFlight(), flight.reap()]).toEqual([true, null]);
	});

	test("its result is taken once", async () => {
		flight.launch(async ({ onStage }) => {
			onStage({ kind: "briefed" });
			return 4;
		});
		await flight.settled();
		expect(flight.inFlight()).toBe(false);
		expect([flight.reap(), flight.reap()]).toEqual([4, null]);
	});

	test("one that ignores its abort is abandoned: rc 1, and its doors are shut", async () => {
		let late: (() => void) | undefined;
		flight.launch(
			({ doors: own }) =>
				new Promise<number>((resolve, reject) => {
					late = () => {
						try {
							own.files.writeAtomic("/late", "x");
							resolve(0);
						} catch (error) {
							reject(error);
						}
					};
				}),
		);
		await doors.clock.sleep(75_000);
		expect(flight.inFlight()).toBe(false);
		late?.();
		await doors.clock.sleep(1);
		expect(doors.files.has("/late")).toBe(false);
		expect(flight.reap()).toBe(1);
	});

	test("a crash of the job is rc 1", async () => {
		flight.launch(async () => {
			throw new Error("a bug");
		});
		await flight.settled();
		expect(flight.reap()).toBe(1);
	});

	const left = (stage: string, pid = 999) => {
		doors.files.seed(`${STATE}/respawn-bg/pid`, `${pid}\n`);
		doors.files.seed(`${STATE}/respawn-bg/start`, `${pid * 10}\n`);
		doors.files.seed(`${STATE}/respawn-bg/stage`, `${stage}\n`);
	};

	test("a predecessor that lives is in flight, one that died is swept, or gone on with", () => {
		left("deciding", 777);
		doors.proc.add({ pid: 777 });
		expect([flight.inFlight(), flight.launch(pending)]).toEqual([true, 1]);
		expect(flight.recover()).toEqual({ kind: "nothing" });
		doors.proc.end(777);
		expect(flight.recover()).toEqual({ kind: "interrupted" });
		expect(readRespawn(doors.files, STATE)).toBeNull();
		left("spawned @7 900 1785258000");
		expect(flight.recover()).toEqual({
			kind: "unbriefed",
			windowId: "@7",
			server: { pid: 900, startTime: 1_785_258_000 },
		});
	});

	test("a cancelled one leaves nothing, unless its window stands unbriefed", async () => {
		flight.launch(
			({ signal }) =>
				new Promise((resolve) =>
					signal.addEventListener("abort", () => resolve(5)),
				),
		);
		await flight.cancel();
		expect(readRespawn(doors.files, STATE)).toBeNull();
		flight.launch(({ onStage }) => {
			onStage({
				kind: "spawned",
				windowId: "@7",
				server: { pid: 900, startTime: 1 },
			});
			return pending();
		});
		await flight.cancel();
		expect(text("respawn-bg/stage")).toBe("spawned @7 900 1\n");
	});
});

test("the launcher removes itself, keeps its corpse, sets what the hooks need, and becomes claude", () => {
	const lines = renderOrchestratorLauncher({
		path: "/tmp/l",
		root: "/the root",
		target: "orchestrator",
		exports: [["NEXUS_STATE_DIR", STATE]],
		binFolders: ["/opt/bun"],
		localsEnv: "/the root/monitor/locals-env.sh",
		agentPrompt: "/code/monitor/agent-prompt.md",
		claude: "/bin/claude",
		settings: "/s.json",
		session: { kind: "fresh", sessionId: SID },
	}).split("\n");
	expect(lines.slice(0, 3)).toEqual([
		"#!/bin/sh",
		"rm -f '/tmp/l'",
		'tmux set-option -w -t "$TMUX_PANE" remain-on-exit on 2>/dev/null',
	]);
	for (const line of [
		"export NEXUS_ROOT='/the root'",
		"export NEXUS_IS_ORCHESTRATOR='1'",
		"export NEXUS_ORCHESTRATOR_WINDOW='orchestrator'",
		`export NEXUS_ORCH_SESSION_ID='${SID}'`,
		"export CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION='false'",
		"export CLAUDE_CODE_RESUME_THRESHOLD_MINUTES='999999999'",
		"export CLAUDE_CODE_RESUME_TOKEN_THRESHOLD='999999999999'",
		`export PATH='/opt/bun':"$PATH"`,
		"prompt=$(cat '/code/monitor/agent-prompt.md')",
		"if [ -r '/the root/monitor/locals-env.sh' ]; then . '/the root/monitor/locals-env.sh'; fi",
	])
		expect(lines).toContain(line);
	expect(lines.at(-2)).toBe(
		`exec '/bin/claude' --dangerously-skip-permissions --session-id ${SID} --settings '/s.json' \${prompt:+--append-system-prompt "$prompt"}`,
	);
	expect(lines.join("\n")).not.toContain("--continue");
});

test("a new window goes where the old one was, and never into a session that ends with it", () => {
	const row = (windowName: string, sessionId: string) =>
		({ windowName, sessionId }) as Parameters<typeof sessionFor>[0][number];
	const rows = [row("w", "$1"), row("orchestrator", "$2"), row("x", "$2")];
	expect(sessionFor(rows, "orchestrator")).toBe("$2");
	expect(sessionFor(rows.slice(0, 2), "orchestrator")).toBe("$1");
	expect(sessionFor(rows.slice(1, 2), "orchestrator")).toBeNull();
});

describe("a respawn", () => {
	const deps = (): RespawnDeps => ({
		doors,
		stateDir: STATE,
		home: HOME,
		timings: DEFAULT_TIMINGS,
		lookAt: async () => ({ kind: "unreadable", reason: "a fake" }),
		settings: respawnSettings(watcherConfig()),
		onStage: () => {},
	});
	const ask = (over = {}) =>
		respawnOrchestrator(deps(), {
			target: "orchestrator",
			promptFile: null,
			forceReplace: false,
			streakStart: 0,
			...over,
		});
	const launchers = () => {
		const listed = doors.files.list("/tmp");
		return listed.kind === "ok"
			? listed.names.filter((n) => n.startsWith("nexus-respawn-launch"))
			: [];
	};
	beforeEach(() => {
		doors.files.seedDir("/tmp");
		doors.files.seed(
			"/code/monitor/orchestrator-settings.json",
			'{"x":"@BUN@"}',
		);
		doors.proc.programs.set("claude", "/usr/bin/claude");
	});

	test("without a claude to start is rc 1, and nothing is touched", async () => {
		doors.proc.programs.delete("claude");
		expect((await ask()).rc).toBe(1);
		expect(doors.tmux.trace()).toEqual([]);
	});

	test("opens one window, pins its session, renders the settings and trusts the root", async () => {
		const end = await ask();
		expect(end.rc).toBe(0);
		expect(doors.tmux.byName("orchestrator").id).toBe(end.windowId ?? "");
		const launcher = doors.files.text(`/tmp/${launchers()[0]}`);
		expect(launcher).toContain(
			`--session-id ${text("orchestrator-session-id").trim()}`,
		);
		expect(text("settings/orchestrator-settings.json")).toBe(
			'{"x":"/opt/bun/bin/bun"}',
		);
		expect(doors.files.text("/home/op/.claude.json")).toContain('"/root"');
	});

	test("finds an orchestrator alive right before the kill: rc 5, no launcher, no window", async () => {
		const { pane } = doors.tmux.window("elsewhere");
		doors.tmux.window("orchestrator");
		doors.proc.add({
			pid: pane.pid ?? 0,
			environ: { NEXUS_IS_ORCHESTRATOR: "1" },
		});
		const end = await ask();
		expect([end.rc, end.why]).toEqual([5, "orchestrator-alive-elsewhere"]);
		expect(doors.tmux.trace()).not.toContain("kill-window");
		expect(launchers()).toEqual([]);
	});

	test("holds the paste lock before there is a window: no report can be its first words", async () => {
		const lock = `${STATE}/paste-locks/orchestrator.lock`;
		const held: boolean[] = [];
		doors.tmux.before((call) => {
			if (call.op === "run" && call.cmd.kind === "new-window")
				held.push(doors.locks.heldPaths().includes(lock));
		});
		await ask();
		expect(held).toEqual([true]);
		expect(doors.locks.heldPaths()).toEqual([]);
	});

	test("that tmux gives no window is rc 3, and leaves no launcher", async () => {
		doors.tmux.fail("new-window", REFUSED);
		expect((await ask()).rc).toBe(3);
		expect(launchers()).toEqual([]);
	});

	test("whose brief is not there is rc 4: the window stands", async () => {
		expect((await ask({ promptFile: "/no/such" })).rc).toBe(4);
	});

	test("whose program ends at once is a failure, and five in a row pause; one that lives is none", async () => {
		const limits = {
			loopWindowSeconds: 120,
			loopLimit: 3,
			failureLimit: 5,
			cooldownSeconds: 600,
		};
		let isBornDead = true;
		doors.tmux.before(() => {
			for (const { windows } of doors.tmux.model.sessions)
				for (const { window } of windows)
					if (window.name === "orchestrator")
						window.pane.dead = isBornDead ? "1" : "0";
		});
		const agent = () =>
			respawnAgent(deps(), {
				target: "orchestrator",
				reason: "absent",
				since: 0,
				prompt: () => "You were respawned.",
			});
		for (let n = 1; n <= 5; n++) {
			expect(passSlowGrind(doors, STATE, limits)).toBe("open");
			expect(await agent()).toBe(4);
			expect(text("respawn-consecutive-failures.txt")).toStartWith(
				`count=${n}\n`,
			);
		}
		expect(passSlowGrind(doors, STATE, limits)).toBe("paused");
		isBornDead = false;
		expect(await agent()).toBe(4);
		expect(has("respawn-consecutive-failures.txt")).toBe(false);
	});

	test("closes a corpse, by its id", async () => {
		const corpse = doors.tmux.window("orchestrator");
		corpse.pane.dead = "1";
		expect((await ask()).rc).toBe(0);
		const killed = doors.tmux.calls.flatMap((c) =>
			c.op === "run" && c.cmd.kind === "kill-window" ? [c.cmd.target] : [],
		);
		expect(killed).toEqual([corpse.id]);
	});

	test("a claude that outlives its closed window is killed before the next is opened", async () => {
		const { pane } = doors.tmux.window("orchestrator");
		const pid = 5555;
		doors.proc.add({ pid: pane.pid ?? 0, comm: "sh", exe: "/bin/sh" });
		doors.proc.add({
			pid,
			ppid: pane.pid ?? 0,
			comm: "claude",
			exe: "/x/claude",
		});
		await ask({ forceReplace: true });
		expect(doors.proc.signals).toEqual([{ pid, sig: "SIGKILL" }]);
	});
});

describe("the brief", () => {
	const facts = {
		reason: "gone",
		target: "orchestrator",
		root: "/root",
		codeRoot: "/code",
		armCommand: "ARM",
	};
	test("of a resume names the session; of a fresh start says that there is no context", () => {
		expect(renderResume(facts, SID)).toContain(`claude --resume ${SID}`);
		expect(renderFresh(facts)).toContain("could not be identified");
	});
	test("of a resume names the reports that waited behind its last turn, by their archived copies", () => {
		const signature = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
		const doors = fakeDoors({ proc: { env: { HOME: "/home/op" } } });
		const { files } = doors;
		const content = `--- ${signature} ---`;
		const record = { type: "queue-operation", operation: "enqueue", content };
		const transcript = `/home/op/.claude/projects/-root/${SID}.jsonl`;
		files.seed(transcript, `${JSON.stringify(record)}\n`);
		expect(unreadReports(doors, "/s", [SID])).toEqual([]);
		const path = "/s/diffs/2026-01-01_12-00-00_0f0f0f.md";
		files.seed(path, `${content}\n`);
		files.seed("/s/diffs/2026-01-01_12-00-01_0f0f0f.md", "another\n");
		const unread = unreadReports(doors, "/s", [SID]);
		expect(unread).toEqual([{ path, signature }]);
		const brief = renderResume(facts, SID, unread);
		expect(brief).toContain(`   - ${path} (${signature})\n`);
		expect(renderResume(facts, SID)).not.toContain("these reports");
		const fresh = renderFresh(facts, undefined, unread);
		expect(fresh).toContain("The one before you was also given these reports");
		expect(fresh).toContain(`   - ${path} (${signature})\n`);
		expect(renderFresh(facts)).not.toContain("these reports");
		// Once it was named, the next brief is silent about it.
		const told = {
			type: "user",
			promptSource: "typed",
			message: { content: brief },
		};
		files.seed(
			transcript,
			`${JSON.stringify(record)}\n${JSON.stringify(told)}\n`,
		);
		expect(unreadReports(doors, "/s", [SID])).toEqual([]);
	});
	test("of a fresh start in place of a session names that session", () => {
		expect(renderFresh(facts, SID)).toContain(`claude --resume ${SID}`);
	});

	test.each([renderFresh(facts), renderResume(facts, SID)])(
		"lets one of two stand down before it arms anything",
		(brief) => {
			expect(brief).toContain(
				"log-action watcher --event respawn-false-positive",
			);
			expect(brief.indexOf("ARM")).toBeGreaterThan(brief.indexOf("stand down"));
			expect(brief).not.toContain("--continue");
		},
	);
});

describe("the replacement of a wedged orchestrator", () => {
	const replace = async (target: string, rc = 0) => {
		const started: unknown[] = [];
		const end = await spawnFresh(
			{
				doors,
				home: HOME,
				configuredTarget: "orchestrator",
				armCommand: "ARM",
				chooseMode: () => ({ kind: "resume", sessionId: SID }),
				respawn: async (window, mode, file) => {
					started.push([window, mode.kind, doors.files.text(file)]);
					return { rc, windowId: "@9" };
				},
			},
			{ target, reason: "wedged", previousSid: SID, fresh: false },
		);
		return { end, started: started[0] as readonly string[] };
	};

	test("resumes, tells how things stand, and starts the pause whatever came of it", async () => {
		const { end, started } = await replace("orchestrator", 3);
		expect(end).toBe(3);
		expect(started.slice(0, 2)).toEqual(["orchestrator", "resume"]);
		const report = text("orchestrator-fresh-spawn.last-report.md");
		expect(report).not.toContain("## Reports that the session before");
		expect(started[2]).toBe(report);
		for (const head of [
			"## Recovery context",
			"## Current tmux windows",
			"## In-flight worker windows vs. recent reports",
			"## Recent reports (top 5 by mtime)",
			"## Dashboard pointer",
			"## Latest watcher emit signature",
			"## Suggested first checks",
		])
			expect(report).toContain(`\n${head}\n`);
		expect(text("orchestrator-fresh-spawn.last")).toBe(
			`${doors.clock.now()}\n`,
		);
		expect(text("action-log.jsonl")).toContain("orchestrator-fresh-spawn");
	});

	test("names what the session before was given and never read", async () => {
		const signature = "nexus-emit-sig 2026-01-01T12:00:00+00:00 a1b2c3";
		const content = `=== nexus ===\n--- ${signature} ---`;
		const record = { type: "queue-operation", operation: "enqueue", content };
		doors.files.seed(
			`/home/op/.claude/projects/-root/${SID}.jsonl`,
			`${JSON.stringify(record)}\n`,
		);
		const path = `${STATE}/diffs/2026-01-01_12-00-00_0f0f0f.md`;
		doors.files.seed(path, content);
		const { started } = await replace("orchestrator");
		expect(started[2]).toContain("\n## Reports that the session before");
		expect(started[2]).toContain(`\n- ${path} (${signature})\n`);
	});

	test("resumes into no window but the orchestrator's", async () => {
		const { started } = await replace("other");
		expect(started[1]).toBe("fresh");
		expect(doors.log.messages().join("\n")).toContain("REFUSED to resume");
	});
});
