/** A wedged orchestrator is replaced, as the watcher's parts are joined (contract 04 §14, §16). */
import { beforeEach, describe, expect, test } from "bun:test";
import { touchOrchestratorStamp } from "../../monitor/_state/orchestrator-stamps.ts";
import type { WatcherContext } from "../../monitor/watcher/context.ts";
import { paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { respawnWiring } from "../../monitor/watcher/respawn-wiring.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type FakeClaude, fakeClaude } from "../unstick/fake-claude.ts";
import { STATE, watcherContext } from "./watcher-rig.ts";

describe("the replacement of an orchestrator that does not answer", () => {
	let doors: FakeDoors;
	let claude: FakeClaude;
	let ctx: WatcherContext;
	let rung: string[];
	beforeEach(() => {
		doors = fakeDoors({ auto: true, proc: { env: { HOME: "/home/op" } } });
		doors.files.seedDir(STATE);
		doors.files.seedDir("/tmp");
		doors.proc.programs.set("claude", "/usr/bin/claude");
		doors.proc.programs.set("sandbox-notify", "/usr/bin/sandbox-notify");
		rung = [];
		const exec = doors.proc.exec;
		doors.proc.exec = (argv, opts) => {
			if (argv[0]?.endsWith("sandbox-notify")) rung.push(argv[1] ?? "");
			return exec(argv, opts);
		};
		claude = fakeClaude(doors, "orchestrator");
		ctx = watcherContext(doors);
	});
	const replace = () => {
		const signal = new AbortController().signal;
		const run = { doors, afterGap: false, log: () => {}, signal };
		const { liveness } = respawnWiring(doors, ctx, paneHands(doors));
		return liveness.replace(run, "respawn reason=dead-threshold");
	};
	const whileSomebodyPastes = (act: () => void) => {
		const lock = doors.locks.hold(`${STATE}/paste-locks/orchestrator.lock`);
		doors.clock.after(5_000, () => {
			act();
			if (lock.kind === "acquired") lock.lock.release();
		});
	};
	const closed = () => doors.tmux.trace().includes("kill-window");

	test("closes its window and rings", async () => {
		whileSomebodyPastes(() => {});
		expect(replace()).toBe(true);
		await doors.clock.sleep(6_000);
		expect([closed(), rung]).toEqual([true, []]);
		// What outlives its window gets a while before the new one is opened.
		await doors.clock.sleep(900_000);
		expect(rung).toHaveLength(1);
	});

	test("is not made when somebody has begun to type while it waited", async () => {
		whileSomebodyPastes(() => claude.set({ box: "half a thought" }));
		expect(replace()).toBe(true);
		await doors.clock.sleep(10_000);
		expect(closed()).toBe(false);
		expect(rung).toEqual([]);
		expect(claude.box).toBe("half a thought");
		expect(doors.log.lines.map(({ msg }) => msg)).toContain(
			"replacement of 'orchestrator': somebody types in it",
		);
	});

	test("is not made when it has answered while it waited", async () => {
		whileSomebodyPastes(() =>
			touchOrchestratorStamp(doors.files, STATE, "heartbeat"),
		);
		expect(replace()).toBe(true);
		await doors.clock.sleep(10_000);
		expect(closed()).toBe(false);
		expect(rung).toEqual([]);
		expect(doors.log.lines.map(({ msg }) => msg)).toContain(
			"replacement of 'orchestrator': it answers again",
		);
	});

	test("that cannot be written down does not begin, and nobody is rung for it", () => {
		doors.files.faults.readOnly = true;
		expect(replace()).toBe(false);
		expect(rung).toEqual([]);
	});
});
