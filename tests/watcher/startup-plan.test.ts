import { describe, expect, test } from "bun:test";
import { parseWatcherArgs } from "../../monitor/watcher/_startup/args.ts";
import { exitCleanup } from "../../monitor/watcher/_startup/exit-cleanup.ts";
import {
	planStartup,
	type StartupFacts,
} from "../../monitor/watcher/_startup/plan.ts";

const clear: StartupFacts = {
	otherWatcher: null,
	config: { kind: "ok" },
	args: { kind: "ok", target: null, once: false },
	ownTarget: null,
};

describe("the arguments", () => {
	test("are a target and --once", () => {
		expect(parseWatcherArgs([])).toEqual({
			kind: "ok",
			target: null,
			once: false,
		});
		expect(parseWatcherArgs(["--once", "--target", "orch"])).toEqual({
			kind: "ok",
			target: "orch",
			once: true,
		});
		expect(parseWatcherArgs(["--target=orch"])).toMatchObject({
			target: "orch",
		});
	});

	const refused: [string, string[], number][] = [
		["an empty target", ["--target", ""], 2],
		["an empty target after =", ["--target="], 2],
		["a target without a value", ["--target"], 2],
		["a flag where the target should be", ["--target", "--once"], 2],
		["an unknown flag", ["--onse"], 1],
		["a stray word", ["orch"], 1],
	];
	test.each(refused)("%s is refused", (_name, argv, exit) => {
		expect(parseWatcherArgs(argv)).toMatchObject({ kind: "refused", exit });
	});
});

describe("a start", () => {
	test("publishes the heartbeat before the pidfile, and both after the instance lock", () => {
		const plan = planStartup(clear);
		const steps = plan.kind === "go" ? plan.steps : [];
		expect(steps).toEqual([
			"make-folders",
			"instance-lock",
			"heartbeat",
			"pidfile",
			"watcher-lock",
			"sweep-stage",
			"reset-cycle",
			"ticker",
			"target-file",
			"config-hash",
			"record-source",
			"baseline",
			"announce",
			"hook-bundles",
			"sweep",
			"startup-done",
		]);
	});

	test("with --once has no ticker", () => {
		const plan = planStartup({
			...clear,
			args: { kind: "ok", target: null, once: true },
		});
		expect(plan.kind === "go" && plan.steps).not.toContain("ticker");
	});

	const own = { windowId: "@3", name: "orchestrator" };
	const rows: [string, Partial<StartupFacts>, number, string][] = [
		["beside a live watcher", { otherWatcher: 77 }, 1, "pid 77"],
		[
			"with a bad config",
			{ config: { kind: "refused", lines: ["config: x: bad"] } },
			1,
			"REFUSING to start",
		],
		[
			"with a bad flag value",
			{ args: { kind: "refused", exit: 2, line: "no value" } },
			2,
			"no value",
		],
		[
			"inside its own target window",
			{ ownTarget: { ...own, orchestrator: "no" } },
			1,
			"'orchestrator'",
		],
	];
	test.each(rows)("%s is refused", (_name, over, exit, words) => {
		const plan = planStartup({ ...clear, ...over });
		expect(plan).toMatchObject({ kind: "refused", exit });
		expect(plan.kind === "refused" && plan.lines.join("\n")).toContain(words);
	});

	test("is refused for the first reason in the order of the start", () => {
		const all = planStartup({
			otherWatcher: 77,
			config: { kind: "refused", lines: [] },
			args: { kind: "refused", exit: 2, line: "no value" },
			ownTarget: { ...own, orchestrator: "no" },
		});
		expect(all).toMatchObject({
			exit: 1,
			lines: [expect.stringMatching("77")],
		});
	});

	test("with a bad config rings, because nothing watches until the operator acts", () => {
		const plan = planStartup({
			...clear,
			config: { kind: "refused", lines: [] },
		});
		expect(plan).toMatchObject({ ring: true });
	});

	test.each([
		["no", { id: "@3", name: "watcher-misplaced" }],
		["yes", undefined],
		["unknown", undefined],
	] as const)(
		"inside a window whose orchestrator answer is %s renames only what provably holds none",
		(orchestrator, rename) => {
			const plan = planStartup({
				...clear,
				ownTarget: { ...own, orchestrator },
			});
			expect(plan.kind === "refused" ? plan.renameWindow : null).toEqual(
				rename,
			);
		},
	);
});

describe("the exit cleanup", () => {
	test("undoes in reverse order, once, and goes on after a failure", () => {
		const done: string[] = [];
		const cleanup = exitCleanup(() => done.push("failed"));
		cleanup.add(() => done.push("lock"));
		cleanup.add(() => {
			throw new Error("EROFS");
		});
		cleanup.add(() => done.push("pidfile"));
		cleanup.run();
		cleanup.run();
		expect(done).toEqual(["pidfile", "failed", "lock"]);
	});
});
