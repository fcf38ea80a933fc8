/** The decisions of the orchestrator's life, as tables (contract 04 §11–§16, §20). */
import { describe, expect, test } from "bun:test";
import { effectiveDeadThreshold } from "../../config/watcher.ts";
import type { LookResult, PaneLook } from "../../monitor/_pane/types.ts";
import {
	decideLiveness,
	gateRespawn,
	type LivenessFacts,
	livenessLine,
	verdict,
} from "../../monitor/watcher/_orchestrator_liveness/decide.ts";
import { idlePaneGuard } from "../../monitor/watcher/_orchestrator_liveness/guard.ts";
import {
	SILENT,
	throttleLiveness,
} from "../../monitor/watcher/_orchestrator_liveness/log-throttle.ts";
import type { OrchestratorLook } from "../../monitor/watcher/_respawn/orchestrators.ts";
import {
	decideSubmit,
	freshPaste,
} from "../../monitor/watcher/_respawn/submit-verify.ts";
import {
	decideSlot,
	decideVerify,
} from "../../monitor/watcher/_respawn/verify-absent.ts";
import {
	type AbsenceFacts,
	onTargetAbsent,
	PRESENT,
} from "../../monitor/watcher/_target_absent.ts";
import { QUIET } from "./respawn-world.ts";

const NOW = 1_785_261_600;

describe("liveness, by the age of the paste", () => {
	const limits = { grace: 60, unstick: 180, dead: 300, ceiling: 1800 };
	/** Ages in seconds; null = none. */
	const facts = (
		paste: number | null,
		signals: readonly number[] = [],
		more: Partial<LivenessFacts> = {},
	): LivenessFacts => ({
		now: NOW,
		afterGap: false,
		lastPaste: paste === null ? "none" : NOW - paste,
		signals: signals.map((age) => NOW - age),
		since: null,
		resubmitAt: null,
		gapEndedAt: null,
		...more,
	});
	const rows: readonly (readonly [string, LivenessFacts, string])[] = [
		["no paste", facts(null), "healthy reason=no-paste-yet"],
		[
			"a stamp that is no number",
			facts(0, [], { lastPaste: "invalid" }),
			"healthy reason=paste-ts-invalid",
		],
		[
			"a stamp of zero",
			facts(0, [], { lastPaste: 0 }),
			"healthy reason=paste-ts-zero",
		],
		["30 s", facts(30), "healthy reason=within-grace age=30s grace=60s"],
		["60 s", facts(60), "healthy reason=within-grace age=60s grace=60s"],
		["61 s", facts(61), "waiting reason=unstick-window age=61s elapsed=0s"],
		["90 s", facts(90), "waiting reason=unstick-window"],
		[
			"200 s, a heartbeat 30 s ago",
			facts(200, [30]),
			"healthy reason=signal-past-paste",
		],
		[
			"200 s, one sign older and one younger",
			facts(200, [600, 180]),
			"healthy reason=signal-past-paste",
		],
		[
			"200 s, a sign of the same second, which is the receipt of the paste itself",
			facts(200, [200]),
			"waiting reason=unstick-window age=200s elapsed=0s window=180s",
		],
		[
			"200 s, a receipt 300 s ago",
			facts(200, [300]),
			"waiting reason=unstick-window",
		],
		["299 s", facts(299), "waiting reason=unstick-window"],
		[
			"300 s, waiting for 40 s",
			facts(300, [], { since: NOW - 40 }),
			`respawn reason=dead-threshold age=300s dead_threshold=300s elapsed_unstick=40s last_paste_ts=${NOW - 300}`,
		],
		["350 s", facts(350), "respawn reason=dead-threshold"],
		[
			"350 s, a heartbeat from before the clock was set back an hour",
			facts(350, [-3600]),
			"respawn reason=dead-threshold",
		],
		[
			"350 s, submitted again 5 s ago",
			facts(350, [], { resubmitAt: NOW - 5 }),
			"respawn reason=dead-threshold",
		],
		[
			"200 s, submitted again 70 s ago",
			facts(200, [], { resubmitAt: NOW - 70 }),
			"respawn reason=resubmit-failed",
		],
		[
			"200 s, submitted again 60 s ago",
			facts(200, [], { resubmitAt: NOW - 60 }),
			"waiting reason=resubmit-pending age=200s resubmit_age=60s grace=60s",
		],
		[
			"200 s, submitted again 50 s ago",
			facts(200, [], { resubmitAt: NOW - 50 }),
			"waiting reason=resubmit-pending",
		],
		[
			"280 s, waiting for 179 s",
			facts(280, [], { since: NOW - 179 }),
			"waiting reason=unstick-window age=280s elapsed=179s window=180s",
		],
		[
			"280 s, waiting for 180 s",
			facts(280, [], { since: NOW - 180 }),
			"resubmit reason=unstick-window-exhausted",
		],
		["1799 s", facts(1799), "respawn reason=dead-threshold"],
		[
			"1800 s",
			facts(1800),
			"healthy reason=paste-too-stale age=1800s ceiling=1800s",
		],
		["1860 s", facts(1860), "healthy reason=paste-too-stale"],
		["set back an hour", facts(-3600), "healthy reason=within-grace age=0s"],
		[
			"two minutes before a suspend of eight hours",
			facts(8 * 3600 + 120, [], { afterGap: true }),
			"healthy reason=clock-gap",
		],
		[
			"a night old, the gap over for 90 s",
			facts(8 * 3600, [], { gapEndedAt: NOW - 90 }),
			"waiting reason=unstick-window",
		],
	];
	test.each(rows)("%s", (_name, given, expected) => {
		expect(livenessLine(decideLiveness(given, limits))).toStartWith(expected);
	});
});

describe("a verdict to respawn", () => {
	const dead = verdict("respawn", "dead-threshold", "age=350s");
	const calm = {
		now: NOW,
		lastSpawnAt: null,
		cooldownSeconds: 1800,
		isSuspicious: false,
		streak: 0,
	};
	test("fires, and is held back by a replacement a minute ago", () => {
		expect(livenessLine(gateRespawn(dead, calm))).toBe(
			"respawn reason=dead-threshold age=350s cooldown_age=never/1800",
		);
		const held = gateRespawn(dead, { ...calm, lastSpawnAt: NOW - 60 });
		expect(livenessLine(held)).toBe(
			"blocked-by-cooldown respawn reason=dead-threshold age=350s cooldown_age=60/1800",
		);
	});
	test("is held back to the last second of the pause, and by a stamp that is ahead by no more than it", () => {
		const word = (lastSpawnAt: number) =>
			gateRespawn(dead, { ...calm, lastSpawnAt }).word;
		expect([word(NOW - 1799), word(NOW - 1800)]).toEqual([
			"blocked-by-cooldown",
			"respawn",
		]);
		expect(word(NOW + 1800)).toBe("blocked-by-cooldown");
	});
	test("is not held back by a stamp further ahead than the pause", () => {
		const future = { ...calm, lastSpawnAt: NOW + 7200 };
		expect(gateRespawn(dead, future).word).toBe("respawn");
	});
	test("needs its third in a row within an hour after a clock gap", () => {
		const lines = [0, 1, 2].map((streak) =>
			livenessLine(gateRespawn(dead, { ...calm, isSuspicious: true, streak })),
		);
		expect(lines[0]).toBe("waiting reason=confirming 1/3");
		expect(lines[1]).toBe("waiting reason=confirming 2/3");
		expect(lines[2]).toStartWith("respawn reason=dead-threshold");
	});
});

describe("the idle-pane guard", () => {
	const dead = verdict("respawn", "dead-threshold");
	const failed = verdict("respawn", "resubmit-failed");
	test.each([
		["a passed deadline over an idle pane", dead, "idle", 0, "suppress"],
		["a passed deadline over an empty one", dead, "empty", 0, "suppress"],
		["the last veto", dead, "idle", 4, "suppress"],
		["the fifth veto is spent", dead, "idle", 5, "escalate"],
		[
			"a verdict that is no respawn",
			verdict("waiting", "dead-threshold"),
			"idle",
			0,
			"proceed",
		],
		["a busy pane", dead, "busy", 0, "proceed"],
		["a report that was submitted again in vain", failed, "idle", 0, "proceed"],
		["a pane that could not be looked at", dead, null, 0, "proceed"],
	] as const)("%s", (_name, decided, state, count, expected) => {
		const seen = state === null ? null : look({ state });
		expect(idlePaneGuard(decided, seen, count, 5)).toBe(expected);
	});
	test("without a limit it may veto for ever", () => {
		expect(idlePaneGuard(dead, look({ state: "idle" }), 99, 0)).toBe(
			"suppress",
		);
	});
});

test("the deadline is raised past the gap between two heartbeat pastes, and never lowered", () => {
	expect(effectiveDeadThreshold(300, 600, 60, 60, 1800).seconds).toBe(720);
	expect(effectiveDeadThreshold(900, 600, 60, 60, 1800).seconds).toBe(900);
});

test("an episode is logged when it begins, every 30 s, and when it ends", () => {
	let memory = SILENT;
	const lines: string[] = [];
	const say = (at: number, v: ReturnType<typeof verdict>) => {
		const next = throttleLiveness(memory, v, NOW + at, 30);
		memory = next.memory;
		if (next.line !== null) lines.push(next.line);
	};
	const waiting = verdict("waiting", "unstick-window");
	say(0, verdict("healthy", "no-paste-yet"));
	for (let at = 5; at <= 40; at += 5) say(at, waiting);
	say(45, verdict("resubmit", "unstick-window-exhausted"));
	say(50, waiting);
	say(55, verdict("healthy", "signal-past-paste"));
	expect(lines).toEqual([
		"waiting reason=unstick-window (entered waiting; updates every 30s)",
		"waiting reason=unstick-window (waited 30s, 5 suppressed)",
		"resubmit reason=unstick-window-exhausted",
		"recovered after 50s (healthy reason=signal-past-paste)",
	]);
	say(60, waiting);
	say(65, verdict("respawn", "dead-threshold"));
	expect(lines.at(-1)).toBe(
		"waiting escalated to respawn after 5s (respawn reason=dead-threshold)",
	);
});

describe("an absent target", () => {
	const open: AbsenceFacts = {
		now: NOW,
		confirmingPolls: 3,
		slowGrind: () => "open",
		crashLoop: () => ({ kind: "allowed" }),
		inFlight: () => false,
	};
	const polls = (n: number, facts: Partial<AbsenceFacts> = {}) => {
		let state = PRESENT;
		return Array.from({ length: n }, (_, i) => {
			const next = onTargetAbsent(state, {
				...open,
				now: NOW + 2 * i,
				...facts,
			});
			state = next.state;
			return next.action;
		});
	};
	test("is believed at the fourth look, and counted from the first", () => {
		expect(polls(4)).toEqual([
			{ kind: "confirming" },
			{ kind: "confirming" },
			{ kind: "confirming" },
			{ kind: "respawn", since: NOW, streak: 4 },
		]);
	});
	test("is replaced at once when no look has to confirm it", () => {
		expect(polls(1, { confirmingPolls: 0 })[0]?.kind).toBe("respawn");
	});
	test.each([
		["one that is on its way", { inFlight: () => true }, "deferred"],
		[
			"too many in a short time",
			{ crashLoop: () => ({ kind: "refused", reason: "r" }) as const },
			"blocked",
		],
		["failures in a row", { slowGrind: () => "paused" as const }, "paused"],
	] as const)("waits for %s", (_name, facts, expected) => {
		expect(polls(4, facts)[3]?.kind).toBe(expected);
	});
	test("asks no guard before it is believed", () => {
		const never = () => {
			throw new Error("asked too early");
		};
		expect(polls(3, { slowGrind: never, crashLoop: never })).toHaveLength(3);
	});
});

describe("is there provably no orchestrator?", () => {
	const A = "aaaaaaaa-0000-4000-8000-000000000000";
	const B = "bbbbbbbb-0000-4000-8000-000000000000";
	const row = (windowName: string, windowId: string, paneDead = "0") =>
		({ windowName, windowId, paneDead }) as OrchestratorLook["rows"][number];
	const at = (
		windowName: string,
		windowId: string,
		sessionId: string | null,
	) => ({
		windowName,
		windowId,
		sessionId,
	});
	const facts = (look: Partial<OrchestratorLook>, more = {}) => ({
		target: "orchestrator",
		pin: A as string | null,
		since: NOW - 8,
		signalAt: null as number | null,
		transcriptAt: null as number | null,
		look: { found: [], undecided: [], rows: [], ...look },
		...more,
	});
	const decided = (f: ReturnType<typeof facts>) => decideVerify(f);

	test("nobody, and no window of that name: proceed", () => {
		expect(decided(facts({}))).toEqual({
			kind: "proceed",
			reason: "verified-absent",
		});
	});
	test("one under another name gets the name back, whatever its session", () => {
		for (const sid of [A, B, null])
			expect(
				decided(facts({ found: [at("x", "@3", sid)], rows: [row("x", "@3")] })),
			).toEqual({
				kind: "abort",
				reason: "orchestrator-process-alive",
				kill: [],
				rename: "@3",
			});
	});
	test("one under another name, and the name is taken: nothing is touched", () => {
		const rows = [row("x", "@3"), row("orchestrator", "@4")];
		expect(decided(facts({ found: [at("x", "@3", A)], rows }))).toMatchObject({
			reason: "orchestrator-alive-elsewhere",
			kill: [],
			rename: null,
		});
	});
	test("one in the target's window: it is back", () => {
		const found = [at("orchestrator", "@3", null)];
		expect(
			decided(facts({ found, rows: [row("orchestrator", "@3")] })),
		).toMatchObject({
			reason: "window-reappeared-live",
		});
	});
	test("two, one of the pin: the other, of a known session, is closed", () => {
		const found = [at("x", "@3", B), at("orchestrator", "@4", A)];
		expect(decided(facts({ found }))).toMatchObject({
			kind: "abort",
			kill: ["@3"],
		});
	});
	test("two, one of the pin: one of an unknown session stays", () => {
		const found = [at("x", "@3", null), at("orchestrator", "@4", A)];
		expect(decided(facts({ found }))).toMatchObject({
			kind: "abort",
			kill: [],
		});
	});
	test("two, and none of the pin: nothing is closed", () => {
		const found = [at("x", "@3", B), at("y", "@4", B)];
		expect(decided(facts({ found }))).toMatchObject({
			reason: "multiple-orchestrators-unresolvable",
			kill: [],
		});
	});
	test("a sign of life since the first miss aborts; without a count it says nothing", () => {
		expect(decided(facts({}, { signalAt: NOW }))).toMatchObject({
			reason: "orchestrator-signal-fresh",
		});
		expect(decided(facts({}, { transcriptAt: NOW }))).toMatchObject({
			reason: "orchestrator-jsonl-fresh",
		});
		expect(decided(facts({}, { signalAt: NOW, since: 0 })).kind).toBe(
			"proceed",
		);
	});
	test("a window of the name is looked at twice", () => {
		expect(
			decided(facts({ rows: [row("orchestrator", "@4", "1")] })).kind,
		).toBe("look-again");
	});

	const slot = (look: Partial<OrchestratorLook>) =>
		decideSlot("orchestrator", { found: [], undecided: [], rows: [], ...look });
	const rows = [row("orchestrator", "@4")];
	test.each([
		[
			"corpses only",
			{ rows: [row("orchestrator", "@4", "1")] },
			"verified-absent (dead panes only)",
		],
		["a shell", { rows }, "impostor-in-slot"],
		["gone meanwhile", {}, "verified-absent"],
	])("then, %s: proceed", (_name, look, reason) => {
		expect(slot(look)).toEqual({ kind: "proceed", reason });
	});
	test.each([
		[
			"an orchestrator in it",
			{ rows, found: [at("orchestrator", "@4", A)] },
			"window-reappeared-live",
		],
		[
			"one elsewhere",
			{ rows, found: [at("x", "@5", A)] },
			"orchestrator-alive-elsewhere",
		],
		[
			"a claude that somebody started, or what cannot be read",
			{ rows, undecided: rows },
			"window-reappeared",
		],
	])("then, %s: abort", (_name, look, reason) => {
		expect(slot(look)).toMatchObject({ kind: "abort", reason });
	});
});

describe("the brief's ladder", () => {
	const limits = {
		verifyMs: 3000,
		lateRenderMs: 30_000,
		retryBudgetMs: 120_000,
		lostMs: 15_000,
		pastes: 3,
	};
	const step = (
		memory: ReturnType<typeof freshPaste>,
		sight: Parameters<typeof decideSubmit>[1],
		now: number,
		wasEntered = true,
	) => decideSubmit(memory, sight, now, limits, wasEntered);
	const entered = freshPaste(0, true);

	test("a turn that runs after an Enter is the brief's, without one it is not", () => {
		expect(step(entered, "busy", 500).kind).toBe("submitted");
		expect(step(freshPaste(0, false), "busy", 500, false).kind).toBe("wait");
	});
	test("typed text of ours is no evidence: it gets an Enter once the first is judged", () => {
		expect(step(entered, "ours", 2999).kind).toBe("wait");
		expect(step(entered, "ours", 3000).kind).toBe("enter");
		expect(step(freshPaste(0, false), "ours", 0, false).kind).toBe("enter");
	});
	test("further Enters come after 5, 10, 20, 30 s, for two minutes", () => {
		let memory = freshPaste(0, false);
		const at: number[] = [];
		for (let now = 0; now <= 140_000; now += 500) {
			const next = step(memory, "ours", now);
			memory = next.memory;
			if (next.kind === "enter") at.push(now / 1000);
			if (next.kind === "stop") break;
		}
		expect(at).toEqual([0, 5, 15, 35, 65, 95]);
	});
	test("an empty box is lost after the late-render time, and after an Enter of the ladder in 15 s", () => {
		expect(step(entered, "blank", 32_500).kind).toBe("wait");
		expect(step(entered, "blank", 33_000).kind).toBe("lost");
		const laddered = step(entered, "ours", 3000).memory;
		const blank = step(laddered, "blank", 7000).memory;
		expect(step(blank, "blank", 21_500).kind).toBe("wait");
		expect(step(blank, "blank", 22_000).kind).toBe("lost");
	});
	test.each([
		["a dialog", "refused"],
		["a program that ended", "gone"],
	] as const)("%s ends it without a key", (_name, sight) => {
		expect(step(entered, sight, 5000).kind).toBe("stop");
	});
	test("a pane that cannot be judged gets no key and is looked at again", () => {
		expect(step(entered, "indeterminate", 10_000).kind).toBe("wait");
	});
	test("somebody's text gets no Enter", () => {
		for (let now = 0; now <= 40_000; now += 1000)
			expect(step(entered, "other-text", now).kind).not.toBe("enter");
		expect(step(entered, "other-text", 40_000).kind).toBe("stop");
	});
});

function look(over: Partial<PaneLook>): LookResult {
	return {
		kind: "ok",
		look: {
			...QUIET,
			...over,
		},
	};
}
