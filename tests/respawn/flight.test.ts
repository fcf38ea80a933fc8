/** One respawn beside the watcher's loop (contract 04 §13.2). */
import { beforeEach, describe, expect, test } from "bun:test";
import { readRespawn } from "../../monitor/_state/respawn-bg.ts";
import {
	type RespawnFlight,
	respawnFlight,
} from "../../monitor/watcher/_respawn_async.ts";
import type { FakeDoors } from "../fakes/doors.ts";
import { STATE } from "../watcher/watcher-rig.ts";
import { type RespawnWorld, respawnWorld } from "./respawn-world.ts";

let doors: FakeDoors;
let text: RespawnWorld["text"];
beforeEach(() => {
	({ doors, text } = respawnWorld());
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
