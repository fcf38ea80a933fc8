/** The guards against respawning in a circle, with their files (contract 01 §15, 04 §12). */
import { beforeEach, describe, expect, test } from "bun:test";
import {
	checkRespawnLoop,
	countRespawnFailure,
	passSlowGrind,
} from "../../monitor/_liveness/pass-respawn-guard.ts";
import { clearRespawnAlarm } from "../../monitor/_state/respawn-alarm.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import { STATE } from "../watcher/watcher-rig.ts";
import { type RespawnWorld, respawnWorld } from "./respawn-world.ts";

let doors: FakeDoors;
let text: RespawnWorld["text"];
let has: RespawnWorld["has"];
beforeEach(() => {
	({ doors, text, has } = respawnWorld());
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
