import { describe, expect, test } from "bun:test";
import {
	decideSelfRestart,
	type RestartGuardFacts,
	readRestartGuard,
	recordSelfRestart,
	recordTrip,
	restartHistoryPath,
	restartLastPath,
	restartTrippedPath,
} from "../../monitor/_state/restart-guard.ts";
import { fakeDoors } from "../fakes/doors.ts";

const LIMITS = {
	selfAllowed: true,
	cooldownSeconds: 600,
	loopLimit: 3,
	loopWindowSeconds: 3600,
};
const QUIET: RestartGuardFacts = {
	now: 10_000,
	lastRestartAt: null,
	trippedAt: null,
	history: [],
	writable: true,
};

describe("may the watcher restart itself", () => {
	for (const [rule, over, kind] of [
		["nothing stands against it", {}, "allowed"],
		["inside the cooldown", { lastRestartAt: 9_401 }, "refused"],
		["the cooldown has passed", { lastRestartAt: 9_400 }, "allowed"],
		[
			"a cooldown stamp from far ahead does not count",
			{ lastRestartAt: 99_999 },
			"allowed",
		],
		["two restarts in the window", { history: [7_000, 8_000] }, "allowed"],
		[
			"three restarts in the window trip it",
			{ history: [6_400, 7_000, 8_000] },
			"trip",
		],
		[
			"a restart older than the window is forgotten",
			{ history: [6_399, 7_000, 8_000] },
			"allowed",
		],
		["tripped within the window", { trippedAt: 6_401 }, "refused"],
		["history that cannot be read", { history: null }, "refused"],
		["a read-only state dir", { writable: false }, "refused"],
	] as const)
		test(`${rule} → ${kind}`, () => {
			expect(decideSelfRestart({ ...QUIET, ...over }, LIMITS).kind).toBe(kind);
		});

	test("an old trip has served its time: stamp and history are cleared, not counted", () => {
		expect(
			decideSelfRestart(
				{ ...QUIET, trippedAt: 6_400, history: [9_000, 9_100, 9_200] },
				LIMITS,
			),
		).toEqual({ kind: "allowed", clear: true });
	});

	test("is refused when switched off, and says which key", () => {
		expect(
			decideSelfRestart(QUIET, { ...LIMITS, selfAllowed: false }),
		).toMatchObject({
			kind: "refused",
			why: expect.stringContaining("monitor.version_restart.self"),
		});
	});
});

describe("the guard on disk", () => {
	test("three recorded restarts, ten minutes apart, trip the fourth try; an hour later it starts anew", async () => {
		const doors = fakeDoors();
		doors.files.seedDir("/s");
		for (let i = 0; i < 3; i++) {
			const verdict = decideSelfRestart(readRestartGuard(doors, "/s"), LIMITS);
			expect(verdict).toEqual({ kind: "allowed", clear: false });
			expect(recordSelfRestart(doors, "/s", false)).toBe(true);
			expect(
				decideSelfRestart(readRestartGuard(doors, "/s"), LIMITS).kind,
			).toBe("refused");
			await doors.clock.advance(600_000);
		}
		expect(decideSelfRestart(readRestartGuard(doors, "/s"), LIMITS)).toEqual({
			kind: "trip",
			why: "restart loop guard: 3 restarts within 3600s (limit=3)",
			count: 3,
		});
		recordTrip(doors.files, "/s");
		expect(decideSelfRestart(readRestartGuard(doors, "/s"), LIMITS).kind).toBe(
			"refused",
		);
		await doors.clock.advance(3_600_000);
		const verdict = decideSelfRestart(readRestartGuard(doors, "/s"), LIMITS);
		expect(verdict).toEqual({ kind: "allowed", clear: true });
		recordSelfRestart(doors, "/s", true);
		expect(doors.files.has(restartTrippedPath("/s"))).toBe(false);
		expect(doors.files.text(restartHistoryPath("/s"))).toBe(
			`${doors.clock.now()}\n`,
		);
	});

	test("a torn line in the history costs only itself", () => {
		const doors = fakeDoors({ now: 10_000 });
		doors.files.seed(restartHistoryPath("/s"), "9990\n99x\n\n9995\n99");
		expect(readRestartGuard(doors, "/s").history).toEqual([9990, 9995, 99]);
	});

	test("what cannot be recorded is not done", () => {
		const doors = fakeDoors();
		expect(recordSelfRestart(doors, "/s", false)).toBe(false);
		expect(doors.files.has(restartLastPath("/s"))).toBe(false);
	});
});
