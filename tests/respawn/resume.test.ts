/** Resume or begin anew, and what is held against a session that does not live (contract 04 §11, §12, §14). */
import { beforeEach, describe, expect, test } from "bun:test";
import { passSlowGrind } from "../../monitor/_liveness/pass-respawn-guard.ts";
import { clearRespawnFailures } from "../../monitor/_state/respawn-failures.ts";
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
import { chooseResumeMode } from "../../monitor/watcher/_respawn.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import { STATE } from "../watcher/watcher-rig.ts";
import { HOME, type RespawnWorld, respawnWorld, SID } from "./respawn-world.ts";

let doors: FakeDoors;
let text: RespawnWorld["text"];
let has: RespawnWorld["has"];
beforeEach(() => {
	({ doors, text, has } = respawnWorld());
});

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

	test("is forgotten once a start has lived for thirty seconds after its brief, and no sooner", async () => {
		const start = { mode: "resume", sessionId: SID } as const;
		learnDeath(doors, STATE, start);
		learnBrief(doors, STATE, start);
		await doors.clock.sleep(29_000);
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
		await live(29);
		expect(passes()).toBe("paused");
	});

	test("an orchestrator that is killed every minute and a half is started anew each time", async () => {
		for (let i = 0; i < 20; i++) {
			await live(90);
			expect(passes()).toBe("open");
		}
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
		["has lived for thirty seconds", 30],
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
