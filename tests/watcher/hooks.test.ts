import { beforeEach, describe, expect, test } from "bun:test";
import type {
	ProcessEvents,
	QuitSignal,
} from "../../monitor/_sys/process-events.ts";
import { firstSnapshotNudge } from "../../monitor/watcher/_compose_nudge/first-snapshot.ts";
import { runOnce } from "../../monitor/watcher/_loop/once.ts";
import { registerTasks } from "../../monitor/watcher/_scheduler/register.ts";
import { exitCleanup } from "../../monitor/watcher/_startup/exit-cleanup.ts";
import {
	endOnSignals,
	shutDownOnSignals,
} from "../../monitor/watcher/_startup/process-end.ts";
import type { TaskSpec } from "../../monitor/watcher/context.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { fakeLog } from "../fakes/log.ts";
import { schedulerRig } from "./scheduler-rig.ts";
import { watcherContext } from "./watcher-rig.ts";

describe("registering the table of tasks", () => {
	let doors: FakeDoors;
	const spec = (name: string, over: Partial<TaskSpec> = {}): TaskSpec => ({
		name,
		intervalSeconds: () => 10,
		class: "cheap",
		async: false,
		make: () => async () => ({ rc: 0 }),
		...over,
	});
	beforeEach(() => {
		doors = fakeDoors();
	});
	const register = (tasks: readonly TaskSpec[]) => {
		const names: string[] = [];
		const scheduler = {
			register: (name: string) => names.push(name),
		};
		registerTasks(tasks, watcherContext(doors), scheduler, doors.log);
		return names;
	};

	test("leaves out what is off or has no interval, with one line each", () => {
		const names = register([
			spec("on"),
			spec("zero", { intervalSeconds: () => 0 }),
			spec("disabled", { enabled: () => false }),
		]);
		expect(names).toEqual(["on"]);
		expect(doors.log.messages()).toEqual([
			"task zero is off",
			"task disabled is off",
		]);
	});

	test("makes no task that is off", () => {
		const make = () => {
			throw new Error("made");
		};
		expect(() =>
			register([spec("off", { enabled: () => false, make })]),
		).not.toThrow();
	});
});

describe("the first snapshot of a process", () => {
	test("fires compose once, when it is really staged", () => {
		const doors = fakeDoors({ now: 1000 });
		const fired: string[] = [];
		const reaped = firstSnapshotNudge(
			doors.files,
			{ stageDir: "/stage", startedAt: 999 },
			{ fireNow: (name) => fired.push(name), wake: () => fired.push("wake") },
		);
		reaped("snapshot_local");
		doors.files.seed("/stage/snapshot_local.out", "old", { mtime: 900 });
		reaped("snapshot_local");
		expect(fired).toEqual([]);
		doors.files.seed("/stage/snapshot_local.out", "# snapshot");
		reaped("compose_emit");
		expect(fired).toEqual([]);
		reaped("snapshot_local");
		reaped("snapshot_local");
		expect(fired).toEqual(["compose_emit", "wake"]);
	});
});

test("a single pass gathers everything before its one emit", async () => {
	const rig = schedulerRig(1000);
	const order: string[] = [];
	const async = { async: true };
	const note = (name: string, ms = 0) =>
		rig.scheduler.register(
			name,
			60,
			async (run) => {
				await run.doors.clock.sleep(ms);
				order.push(name);
				return { rc: 0 };
			},
			async,
		);
	note("compose_emit");
	note("snapshot_local", 5_000);
	expect(await rig.clock.run(runOnce(rig.scheduler))).toBe(true);
	expect(order).toEqual(["snapshot_local", "compose_emit"]);
});

describe("the process's end", () => {
	const handlers = new Map<QuitSignal, () => void>();
	let stray: (reason: unknown) => void;
	let uncaught: (error: unknown) => void;
	let exits: number[];
	const events: ProcessEvents = {
		onSignal: (signal, handler) => handlers.set(signal, handler),
		onExit: () => {},
		onStrayRejection: (handler) => {
			stray = handler;
		},
		onUncaught: (handler) => {
			uncaught = handler;
		},
		keepAlive: () => {},
		exit: (code) => {
			exits.push(code);
			throw new Error("exited");
		},
		exportEnv: () => {},
	};
	const log = fakeLog();
	beforeEach(() => {
		exits = [];
		log.clear();
		endOnSignals(
			events,
			log,
			exitCleanup(() => {}),
		);
	});

	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	] as const)("%s during the start exits %i", (signal, code) => {
		expect(handlers.get(signal)).toThrow("exited");
		expect(exits).toEqual([code]);
		expect(log.messages()).toEqual([`${signal}: exiting`]);
	});

	test("after the start INT and TERM ask for a shutdown and exit nothing", () => {
		let asked = 0;
		shutDownOnSignals(events, log, () => {
			asked += 1;
		});
		handlers.get("SIGTERM")?.();
		handlers.get("SIGINT")?.();
		expect([asked, exits]).toEqual([2, []]);
	});

	test("a stray rejection is logged and the watcher goes on; an uncaught error ends it with 1", () => {
		stray(new Error("a write refused: this run of the task is over"));
		expect(exits).toEqual([]);
		expect(log.messages("warn")[0]).toContain("a write refused");
		expect(() => uncaught(new Error("bug"))).toThrow("exited");
		expect(exits).toEqual([1]);
	});
});
