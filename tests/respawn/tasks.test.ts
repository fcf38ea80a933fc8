/** Absence and liveness as the watcher runs them, on fake doors: what is asked of whom, and which files are left (contract 04 §13, §16, §20). */
import { beforeEach, describe, expect, test } from "bun:test";
import type { LookResult } from "../../monitor/_pane/types.ts";
import { writePin } from "../../monitor/_state/orchestrator-session-id.ts";
import { pasteLeftoverPath } from "../../monitor/_state/paste-leftover.ts";
import { verdict } from "../../monitor/watcher/_orchestrator_liveness/decide.ts";
import { holdForOperator } from "../../monitor/watcher/_orchestrator_liveness/failed-turn.ts";
import { resubmitRescue } from "../../monitor/watcher/_orchestrator_liveness/rescue.ts";
import { orchestratorLivenessTask } from "../../monitor/watcher/_orchestrator_liveness.ts";
import {
	type AbsenceHandler,
	type AbsenceParts,
	absenceHandler,
} from "../../monitor/watcher/_target_absent/handler.ts";
import type { TaskRun } from "../../monitor/watcher/context.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import {
	STATE,
	watcherConfig,
	watcherContext,
} from "../watcher/watcher-rig.ts";
import { QUIET } from "./respawn-world.ts";

let doors: FakeDoors;
let said: string[];
const run = (afterGap = false): TaskRun => ({
	doors,
	afterGap,
	log: (line: string) => said.push(line),
	signal: new AbortController().signal,
});
const has = (name: string) => doors.files.has(`${STATE}/${name}`);
const text = (name: string) => doors.files.text(`${STATE}/${name}`);

beforeEach(() => {
	doors = fakeDoors({ auto: true, proc: { env: { HOME: "/home/op" } } });
	doors.files.seedDir(STATE);
	doors.tmux.window("shell");
	said = [];
});

describe("absence", () => {
	const asked: string[] = [];
	let handler: AbsenceHandler;
	const open = (over: Partial<AbsenceParts> = {}) => {
		asked.length = 0;
		handler = absenceHandler({
			stateDir: STATE,
			target: "orchestrator",
			confirmingPolls: 3,
			limits: {
				loopWindowSeconds: 120,
				loopLimit: 3,
				failureLimit: 5,
				cooldownSeconds: 600,
			},
			inFlight: () => false,
			ended: () => {},
			lives: () => {},
			reap: () => null,
			verify: async (_run, since) => {
				asked.push(`verify ${doors.clock.now() - since}`);
				return { kind: "proceed", reason: "verified-absent" };
			},
			launch: (reason) => {
				asked.push(reason);
				return 0;
			},
			...over,
		});
	};
	const poll = async (n: number) => {
		for (let i = 0; i < n; i++) {
			await doors.clock.sleep(2000);
			await handler.missing(run());
		}
	};

	test("three polls ask nothing, the fourth verifies once and launches, and the count begins anew", async () => {
		open();
		await poll(3);
		expect(asked).toEqual([]);
		await poll(4);
		expect(asked).toEqual([
			"verify 6",
			"target window 'orchestrator' absent for 4 poll(s); spawned new agent",
		]);
		expect(text("respawn-history.txt")).toMatch(/^\d+ orchestrator\n$/);
	});

	test("seen once before a clock gap and four times after it: launched on the fourth after it", async () => {
		open();
		await poll(1);
		handler.reset();
		await poll(3);
		expect(asked).toEqual([]);
		await poll(1);
		expect(asked).toHaveLength(2);
	});

	test("in flight: deferred, said once, and the guard's history does not grow", async () => {
		open({ inFlight: () => true });
		await poll(8);
		expect(asked).toEqual([]);
		expect(said).toEqual(["launch deferred (in flight)"]);
		expect(has("respawn-history.txt")).toBe(false);
	});

	test("a full history blocks, and the operator is told once", async () => {
		open();
		const now = doors.clock.now();
		doors.files.seed(
			`${STATE}/respawn-history.txt`,
			`${now} a\n${now} a\n${now} a\n`,
		);
		await poll(6);
		expect(asked).toEqual([]);
		expect(said).toEqual([
			"respawn blocked: crash-loop guard: 3 respawns within 120s (limit=3)",
		]);
		expect(
			text("action-log.jsonl").match(/respawn-loop-tripped/g),
		).toHaveLength(1);
	});

	test("an orchestrator that turns out to live aborts it: said, logged, counted anew", async () => {
		open({
			verify: async () => ({
				kind: "abort",
				reason: "orchestrator-process-alive",
			}),
		});
		await poll(4);
		expect(asked).toEqual([]);
		expect(said).toEqual([
			"respawn aborted by re-verify: orchestrator-process-alive",
		]);
		expect(JSON.parse(text("action-log.jsonl"))).toMatchObject({
			agent: "watcher",
			event: "respawn-aborted-reverify",
			note: "orchestrator-process-alive",
		});
	});

	test("its end is told to whoever learns from it, not while another is on its way", async () => {
		const heard: string[] = [];
		let isFlying = false;
		open({
			inFlight: () => isFlying,
			ended: () => heard.push("ended"),
			lives: () => heard.push("lives"),
		});
		handler.present(run());
		await poll(1);
		isFlying = true;
		await poll(2);
		expect(heard).toEqual(["lives", "ended"]);
	});

	test.each([
		[4, ["respawn ended with rc=4"]],
		[0, []],
	])("of a respawn that ended with %i is said: %j", async (ended, words) => {
		let rc: number | null = ended;
		open({
			reap: () => {
				const result = rc;
				rc = null;
				return result;
			},
		});
		await poll(1);
		expect(said).toEqual([...words]);
	});

	test("a respawn that fails once too often starts the pause at once", async () => {
		doors.files.seed(
			`${STATE}/respawn-consecutive-failures.txt`,
			`count=5\nlast_epoch=${doors.clock.now()}\n`,
		);
		open({ reap: () => 3 });
		await poll(1);
		expect(text("action-log.jsonl")).toContain("respawn-slow-grind-tripped");
		await poll(5);
		expect(asked).toEqual([]);
		expect(said).toContain("respawn paused: too many failures in a row");
	});

	test.each([
		[
			0,
			"respawn launched: target window 'orchestrator' absent for 4 poll(s) (verified-absent)",
		],
		[1, "respawn could not be launched (one runs already)"],
		[2, "respawn could not be launched (its record cannot be written)"],
	] as const)("a launch that answers %i is told as such", async (rc, words) => {
		open({ launch: () => rc });
		await poll(4);
		expect(said).toEqual([words]);
	});

	test("an orchestrator that is seen again begins the count and the telling anew", async () => {
		open({ inFlight: () => true });
		await poll(4);
		handler.present(run());
		await poll(3);
		expect(said).toHaveLength(1);
		await poll(1);
		expect(said).toEqual([
			"launch deferred (in flight)",
			"launch deferred (in flight)",
		]);
	});
});

describe("liveness", () => {
	let replaced: string[];
	let rescued: number;
	let pane: LookResult | null;
	let transcripts: (sessionId: string) => readonly string[];
	let isReplacing: boolean;
	/** A session that the pin names, with its transcript as old as that. */
	const pin = (transcript: string, mtime: number) => {
		const id = "aaaaaaaa-0000-4000-8000-000000000000";
		doors.files.seed(`${STATE}/orchestrator-session-id`, `${id}\n`);
		doors.files.seed(transcript, "{}\n", { mtime });
		transcripts = (sessionId) => (sessionId === id ? [transcript] : []);
	};
	let tick: (seconds?: number, afterGap?: boolean) => Promise<void>;
	beforeEach(() => {
		doors.tmux.window("orchestrator");
		replaced = [];
		rescued = 0;
		pane = null;
		transcripts = () => [];
		isReplacing = false;
		const config = watcherConfig({
			MONITOR_ORCH_PASTE_RESPONSE_GRACE_S: "60",
			MONITOR_ORCH_UNSTICK_WINDOW_S: "60",
		});
		const task = orchestratorLivenessTask({
			transcripts: (id) => transcripts(id),
			lookAtTarget: async () => pane,
			replace: (_run, reason) => {
				replaced.push(reason);
				return !isReplacing;
			},
			rescue: () => {
				rescued++;
			},
		}).make(watcherContext(doors, { config }));
		tick = async (seconds = 5, afterGap = false) => {
			await doors.clock.sleep(seconds * 1000);
			await task(run(afterGap));
		};
		doors.files.seed(
			`${STATE}/orchestrator-last-paste.ts`,
			`${doors.clock.now()}\n`,
		);
		doors.files.seed(`${STATE}/orchestrator-heartbeat`, "", {
			mtime: doors.clock.now() - 60,
		});
	});

	test("where nothing could witness an answer (no hooks, no pin, no session file) its absence says nothing", async () => {
		doors.files.remove(`${STATE}/orchestrator-heartbeat`);
		for (let i = 0; i < 300; i++) await tick();
		expect([rescued, replaced]).toEqual([0, []]);
	});

	test("a session that the pin does not know answers in the transcript of its own session file", async () => {
		pane = { kind: "ok", look: { ...QUIET, sessionId: "live" } };
		transcripts = (id) => (id === "live" ? ["/home/live.jsonl"] : []);
		doors.files.seed("/home/live.jsonl", "{}\n", {
			mtime: doors.clock.now() + 3,
		});
		for (let i = 0; i < 300; i++) await tick();
		expect([rescued, replaced]).toEqual([0, []]);
		expect(has("orchestrator-unresponsive-since")).toBe(false);
	});

	test("an answer that was over before the paste was confirmed is one: idle again, the transcript moved with it", async () => {
		pane = { kind: "ok", look: { ...QUIET, sessionId: "live" } };
		transcripts = () => ["/home/live.jsonl"];
		doors.files.seed("/home/live.jsonl", "{}\n", {
			mtime: doors.clock.now() - 1,
		});
		for (let i = 0; i < 300; i++) await tick();
		expect([rescued, replaced]).toEqual([0, []]);
	});

	test("a report without an answer: waited for, submitted again once, then the orchestrator is replaced", async () => {
		await tick(65);
		expect(has("orchestrator-unresponsive-since")).toBe(true);
		await tick(61);
		expect([rescued, has("orchestrator-resubmit-attempted")]).toEqual([
			1,
			true,
		]);
		await tick(5);
		expect([rescued, replaced]).toEqual([1, []]);
		await tick(61);
		expect(replaced[0]).toStartWith("respawn reason=resubmit-failed");
		expect(has("orchestrator-unresponsive-since")).toBe(false);
	});

	test("what a tool of the pinned session writes is an answer, too", async () => {
		pin("/home/pinned.jsonl", doors.clock.now() - 30);
		await tick(65);
		expect(has("orchestrator-unresponsive-since")).toBe(true);
		doors.files.seedDir("/home/pinned/tool-results");
		doors.files.touch("/home/pinned/tool-results", { at: doors.clock.now() });
		await tick();
		expect(has("orchestrator-unresponsive-since")).toBe(false);
	});

	test("a transcript that moves keeps its pin young; one that stood still does not", async () => {
		const pinnedAt = () => doors.files.stat(`${STATE}/orchestrator-session-id`);
		pin("/home/pinned.jsonl", doors.clock.now() - 1000);
		const before = pinnedAt();
		await tick();
		expect(pinnedAt()).toEqual(before);
		doors.files.touch("/home/pinned.jsonl", { at: doors.clock.now() });
		await tick();
		expect(pinnedAt()).not.toEqual(before);
	});

	test("moved with the paste is an answer only of a session that is idle again", async () => {
		for (const [state, seconds, answers] of [
			["idle", -2, true],
			["idle", -3, false],
			["busy", -1, false],
		] as const) {
			doors.files.remove(`${STATE}/orchestrator-unresponsive-since`);
			pane = { kind: "ok", look: { ...QUIET, state, sessionId: "live" } };
			transcripts = () => ["/home/live.jsonl"];
			const paste = doors.clock.now();
			doors.files.seed(`${STATE}/orchestrator-last-paste.ts`, `${paste}\n`);
			doors.files.seed("/home/live.jsonl", "{}\n", { mtime: paste + seconds });
			await tick(65);
			expect([state, seconds, has("orchestrator-unresponsive-since")]).toEqual([
				...[state, seconds],
				!answers,
			]);
		}
	});

	test("a veto is said, ends the episode, and is forgotten with the next answer", async () => {
		pane = { kind: "ok", look: { ...QUIET } };
		await tick(65);
		expect(has("orchestrator-unresponsive-since")).toBe(true);
		await tick(1300);
		expect(said.at(-1)).toContain(
			"healthy reason=idle-pane-override 1/5 (respawn reason=dead-threshold",
		);
		expect(has("orchestrator-unresponsive-since")).toBe(false);
		doors.files.seed(`${STATE}/orchestrator-heartbeat`, "", {
			mtime: doors.clock.now(),
		});
		await tick();
		expect(has("orchestrator-idle-override-count")).toBe(false);
	});

	test("while another respawn runs, it is said, and the episode goes on", async () => {
		isReplacing = true;
		await tick(65);
		await tick(1300);
		expect(said.at(-1)).toBe("orchestrator liveness: a respawn runs already");
		expect(has("orchestrator-unresponsive-since")).toBe(true);
	});

	test("an answer ends the episode", async () => {
		await tick(65);
		doors.files.seed(`${STATE}/orchestrator-heartbeat`, "", {
			mtime: doors.clock.now(),
		});
		await tick();
		expect(has("orchestrator-unresponsive-since")).toBe(false);
		expect(said.at(-1)).toContain("recovered after 5s");
	});

	test("an idle pane vetoes a passed deadline, five times", async () => {
		pane = { kind: "ok", look: { ...QUIET } };
		await tick(1400);
		for (let i = 0; i < 4; i++) await tick();
		expect([replaced, text("orchestrator-idle-override-count")]).toEqual([
			[],
			"5\n",
		]);
		await tick();
		expect(replaced).toHaveLength(1);
		expect(has("orchestrator-idle-override-count")).toBe(false);
	});

	test.each([
		[
			"within the pause after the last replacement",
			() => doors.files.seed(`${STATE}/orchestrator-fresh-spawn.last`, "1\n"),
		],
		[
			"while the window is missing",
			() =>
				void doors.tmux.run({
					kind: "kill-window",
					target: doors.tmux.byName("orchestrator").id,
				}),
		],
	])("nothing is replaced %s", async (_name, given) => {
		await tick(1350);
		replaced.length = 0;
		given();
		await tick();
		expect(replaced).toEqual([]);
	});

	test.each<[string, LookResult]>([
		["a bare shell", { kind: "gone", evidence: "tree-empty-past-grace" }],
		[
			"somebody's editor",
			{ kind: "unreadable", reason: "live-descendant", isForeign: true },
		],
	])("%s in its window is not closed for it", async (_what, seen) => {
		pane = seen;
		for (let i = 0; i < 300; i++) await tick();
		expect([rescued, replaced]).toEqual([0, []]);
	});

	test("one into whose box somebody types is not closed over his text; what we left there is nobody's", async () => {
		pane = { kind: "ok", look: { ...QUIET, state: "user-typing" } };
		for (let i = 0; i < 300; i++) await tick();
		expect(replaced).toEqual([]);
		doors.files.seed(
			pasteLeftoverPath(STATE, "orchestrator"),
			"=== nexus state changed",
		);
		for (let i = 0; i < 60; i++) await tick();
		expect(replaced).not.toEqual([]);
	});

	test("one that is suspended is replaced like every other that does not answer", async () => {
		pane = { kind: "unreadable", reason: "suspended", isStopped: true };
		await tick(1350);
		expect(replaced).toHaveLength(1);
	});

	describe("while its last turn failed for what only the operator can mend", () => {
		const MARKER = `${STATE}/turn-failure/orchestrator.json`;
		const fails = (more: object = {}) => {
			const failure = { category: "auth", recovery: "operator", ...more };
			const ts = doors.clock.now();
			doors.files.seed(MARKER, JSON.stringify({ ts, ...failure }));
		};
		const told = () =>
			has("watcher-alerts.log")
				? text("watcher-alerts.log").split("needs you (auth)").length - 1
				: 0;

		test("nothing is pasted again and nothing replaced, for ten minutes; he is told once", async () => {
			await doors.clock.sleep(1_325_000);
			fails();
			for (let i = 0; i < 94; i++) await tick();
			expect([rescued, replaced, told()]).toEqual([0, [], 1]);
			expect(said[0]).toContain("waiting reason=turn-failure category=auth");
		});
		test.each([
			["respawn", 599, "waiting"],
			["respawn", 600, "respawn"],
			["resubmit", 599, "waiting"],
			["resubmit", 600, "resubmit"],
			["waiting", 0, "waiting"],
			["healthy", 0, "healthy"],
			["blocked-by-cooldown", 0, "blocked-by-cooldown"],
		] as const)("%s, %d s after it: %s", (word, age, then) => {
			const decided = verdict(word, "r");
			const held = holdForOperator(decided, "auth", age, 600);
			expect(held.word).toBe(then);
			expect(held === decided).toBe(age >= 600 || !word.startsWith("res"));
		});
		test("then it is replaced like every other that does not answer", async () => {
			fails();
			await doors.clock.sleep(1_325_000);
			await tick();
			expect(replaced).toHaveLength(1);
		});
		test("he is told again when it has worked in between", async () => {
			fails();
			for (let i = 0; i < 2; i++) await tick();
			doors.files.remove(MARKER);
			await tick();
			fails();
			await tick();
			expect(told()).toBe(2);
		});
		test.each([
			["what a paste mends", { recovery: "paste" }],
			["what another session left", { session_id: "other" }],
			["an old one", { ts: 1 }],
		])("%s holds nothing", async (_name, more) => {
			writePin(doors.files, STATE, "33333333-0000-4000-8000-000000000003");
			await doors.clock.sleep(1_345_000);
			fails(more);
			await tick();
			expect([replaced.length, told()]).toEqual([1, 0]);
		});
	});

	test("right after a respawn nothing is judged", async () => {
		await doors.clock.sleep(1_345_000);
		doors.files.seed(
			`${STATE}/respawn-history.txt`,
			`${doors.clock.now()} t\n`,
		);
		await tick();
		expect([replaced, said]).toEqual([[], []]);
	});

	test("a night of suspend is no silence: nothing in the grace, and later a third verdict in a row", async () => {
		await tick(8 * 3600, true);
		expect([replaced, said, has("orchestrator-unresponsive-since")]).toEqual([
			[],
			[],
			false,
		]);
		await tick(1325);
		expect(replaced).toEqual([]);
		await tick();
		expect(replaced).toEqual([]);
		await tick();
		expect(replaced).toHaveLength(1);
	});
});

describe("the rescue", () => {
	const rescue = async (rc: number) => {
		const seen: string[] = [];
		await resubmitRescue({
			doors,
			stateDir: STATE,
			paste: async (file) => {
				seen.push(`paste ${file.slice(STATE.length + 1)}`);
				return rc;
			},
			commitEmitted: async (body) => {
				seen.push(`commit ${body}`);
			},
		});
		return seen;
	};
	const archive = (name: string, text: string, mtime: number) =>
		doors.files.seed(`${STATE}/diffs/${name}`, text, { mtime });

	test("submits the newest report by its name, whatever the disk says of its age, and learns from it", async () => {
		archive("2026-01-01_12-00-00_aaaaaa.md", "old", 9_999_999_999);
		archive("2026-01-02_12-00-00_bbbbbb.md", "new", 1);
		expect(await rescue(0)).toEqual([
			"paste diffs/2026-01-02_12-00-00_bbbbbb.md",
			"commit new",
		]);
	});
	test("learns nothing from one that did not arrive", async () => {
		archive("2026-01-02_12-00-00_bbbbbb.md", "new", 1);
		expect(await rescue(7)).toHaveLength(1);
		expect(doors.log.messages().at(-1)).toContain("submitted again, rc=7");
	});
	test("says that there is none", async () => {
		expect(await rescue(0)).toEqual([]);
		expect(doors.log.messages("warn")).toEqual([
			"orchestrator liveness: no archived report to submit again",
		]);
	});
});
