/** Absence and liveness as the watcher runs them, on fake doors: what is asked of whom, and which files are left (contract 04 §13, §16, §20). */
import { beforeEach, describe, expect, test } from "bun:test";
import type { LookResult } from "../../monitor/_pane/types.ts";
import { writePin } from "../../monitor/_state/orchestrator-session-id.ts";
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
		expect(text("action-log.jsonl")).toContain("respawn-aborted-reverify");
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

	test("a respawn that ended badly is said", async () => {
		let rc: number | null = 4;
		open({
			reap: () => {
				const result = rc;
				rc = null;
				return result;
			},
		});
		await poll(1);
		expect(said).toEqual(["respawn ended with rc=4"]);
	});
});

describe("liveness", () => {
	let replaced: string[];
	let rescued: number;
	let pane: LookResult | null;
	let transcripts: (sessionId: string) => readonly string[];
	let tick: (seconds?: number, afterGap?: boolean) => Promise<void>;
	beforeEach(() => {
		doors.tmux.window("orchestrator");
		replaced = [];
		rescued = 0;
		pane = null;
		transcripts = () => [];
		const config = watcherConfig({
			MONITOR_ORCH_PASTE_RESPONSE_GRACE_S: "60",
			MONITOR_ORCH_UNSTICK_WINDOW_S: "60",
		});
		const task = orchestratorLivenessTask({
			transcripts: (id) => transcripts(id),
			lookAtTarget: async () => pane,
			replace: (_run, reason) => {
				replaced.push(reason);
				return true;
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
		pane = { kind: "ok", look: { ...IDLE, sessionId: "live" } };
		transcripts = (id) => (id === "live" ? ["/home/live.jsonl"] : []);
		doors.files.seed("/home/live.jsonl", "{}\n", {
			mtime: doors.clock.now() + 3,
		});
		for (let i = 0; i < 300; i++) await tick();
		expect([rescued, replaced]).toEqual([0, []]);
		expect(has("orchestrator-unresponsive-since")).toBe(false);
	});

	test("an answer that was over before the paste was confirmed is one: idle again, the transcript moved with it", async () => {
		pane = { kind: "ok", look: { ...IDLE, sessionId: "live" } };
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
		pane = { kind: "ok", look: { ...IDLE } };
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

const IDLE = {
	state: "idle",
	input: "blank",
	overlay: null,
	menu: false,
	menuSelected: null,
	queued: false,
	composer: null,
	dialog: null,
	line: "",
	sessionId: null,
} as const;
