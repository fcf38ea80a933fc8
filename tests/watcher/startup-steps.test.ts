import { beforeEach, describe, expect, test } from "bun:test";
import { renderWatcherLock } from "../../monitor/_state/watcher-lock.ts";
import { exitCleanup } from "../../monitor/watcher/_startup/exit-cleanup.ts";
import { selfOf } from "../../monitor/watcher/_startup/instance.ts";
import {
	PUBLISHING_STEPS,
	planStartup,
} from "../../monitor/watcher/_startup/plan.ts";
import {
	type StartupWorld,
	startupSteps,
} from "../../monitor/watcher/_startup/steps.ts";
import { runSteps } from "../../monitor/watcher/_startup.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE, watcherContext } from "./watcher-rig.ts";

const PID = 4242;
let doors: FakeDoors;
let done: string[];
beforeEach(() => {
	doors = fakeDoors({ now: 1_000_000 });
	doors.files.seedDir(STATE);
	done = [];
});

function world(over: Partial<StartupWorld> = {}): StartupWorld {
	const ctx = watcherContext(doors);
	return {
		doors,
		ctx,
		self: selfOf(doors, "/root"),
		cleanup: exitCleanup(() => {}),
		ticker: {
			keep: () => done.push("ticker"),
			stop: () => done.push("ticker stopped"),
		},
		takeBaseline: async () => {
			done.push("baseline");
			doors.files.seed(`${STATE}/last-snapshot.txt`, "# snapshot-format=v2\n");
			return true;
		},
		sweep: async () => {
			done.push("sweep");
		},
		...over,
	};
}
function start(w: StartupWorld, once = false) {
	const plan = planStartup({
		otherWatcher: null,
		config: { kind: "ok" },
		args: { kind: "ok", target: null, once },
		ownTarget: null,
	});
	if (plan.kind !== "go") throw new Error("refused");
	return doors.clock.run(runSteps(plan.steps, startupSteps(w)));
}
const text = (name: string) => doors.files.text(`${STATE}/${name}`);

test("every folder of state that `ng degraded` asks for is there after the start", async () => {
	expect(await start(world())).toBeNull();
	for (const dir of ["diffs", "unstick", "skeptic/pending", "async-run"])
		expect([dir, doors.files.stat(`${STATE}/${dir}`).kind]).toEqual([
			dir,
			"ok",
		]);
});

test("the state files appear in an order in which no reader sees a live pid with a dead heartbeat", async () => {
	const written: string[] = [];
	doors.files.faults.before((op, path) => {
		const name = path.slice(STATE.length + 1).replace(/\.tmp\..*/, "");
		if (op === "write" && !written.includes(name)) written.push(name);
	});
	expect(await start(world())).toBeNull();
	expect(written).toEqual([
		"nexus-instance.heartbeat",
		"watcher-heartbeat",
		"watcher.pid",
		"watcher.lock",
		"watcher-cycle",
		"watcher-progress",
		"watcher-target",
		"watcher-config.sha256",
		"version/watcher.running",
	]);
	expect(done).toEqual(["ticker", "baseline", "sweep"]);
	expect(text("watcher.pid")).toBe(`${PID}\n`);
	expect(text("watcher-target")).toBe("orchestrator\n");
	expect(text("watcher-progress")).toContain("stage=startup:done\n");
});

test("the log says which config was loaded, and what is in force", async () => {
	await start(world());
	const log = doors.log.messages();
	expect(log).toContain(
		"config: /root/config/nexus.yml (aaaaaaaaaaaa) loaded; changes need a watcher restart",
	);
	expect(log.filter((line) => line.startsWith("watcher up: "))).toHaveLength(1);
});

test("a start by hand that nobody can recognise is warned about, one with its state dir in the environment is not", async () => {
	const recognised = () =>
		!doors.log.messages("warn").join("\n").includes("whose watcher this is");
	await start(world());
	expect(recognised()).toBe(false);
	doors = fakeDoors({ now: 1_000_000 });
	doors.proc.add({ pid: PID, environ: { NEXUS_STATE_DIR: STATE } });
	await start(world());
	expect(recognised()).toBe(true);
});

test("the learned cycle average survives a restart, its clock does not", async () => {
	doors.files.seed(
		`${STATE}/watcher-cycle`,
		"pid=1\nepoch=5\nts=x\nperiod_s=70\nema_s=64\n",
	);
	await start(world());
	expect(text("watcher-cycle")).toContain("epoch=1000000\n");
	expect(text("watcher-cycle")).toContain("period_s=0\nema_s=64\n");
});

describe("watcher.lock", () => {
	const lock = (pid: number) =>
		doors.files.seed(
			`${STATE}/watcher.lock`,
			renderWatcherLock({
				pid,
				startedAt: "then",
				targetWindow: "orchestrator",
				tmuxWindow: "headless",
				intervalSeconds: 60,
			}),
		);

	test("that names a live watcher refuses with exit 3 and stays", async () => {
		doors.proc.add({
			pid: 77,
			argv: ["bun", "/code/monitor/watcher/main.ts"],
			environ: { NEXUS_STATE_DIR: STATE },
		});
		lock(77);
		expect(await start(world())).toMatchObject({ exit: 3 });
		expect(text("watcher.lock")).toStartWith("pid: 77\n");
	});

	test.each([
		["a dead pid", []],
		["a pid that another program has now", [{ pid: 77, argv: ["vim"] }]],
	])("that names %s is overwritten", async (_name, processes) => {
		for (const p of processes) doors.proc.add(p);
		lock(77);
		expect(await start(world())).toBeNull();
		expect(text("watcher.lock")).toStartWith(`pid: ${PID}\n`);
	});
});

describe("the baseline", () => {
	test("that exists is left alone", async () => {
		doors.files.seed(`${STATE}/last-snapshot.txt`, "old");
		await start(world());
		expect(done).not.toContain("baseline");
	});
	test("that cannot be taken refuses with exit 1", async () => {
		const refusal = await start(world({ takeBaseline: async () => false }));
		expect(refusal).toMatchObject({ exit: 1 });
	});
});

describe("the exit", () => {
	test("takes away what names this process, and the lock is free", async () => {
		const w = world();
		await start(w);
		w.cleanup.run();
		for (const name of [
			"watcher.pid",
			"watcher.lock",
			"nexus-instance.heartbeat",
		])
			expect(doors.files.has(`${STATE}/${name}`)).toBe(false);
		expect(doors.locks.heldPaths()).toEqual([]);
		expect(done).toContain("ticker stopped");
	});

	test("leaves the files of a successor", async () => {
		const w = world();
		await start(w);
		const successor = {
			"watcher.pid": "999\n",
			"watcher.lock": "pid: 999\n",
			"nexus-instance.heartbeat":
				"host: host-b\nnonce: other\nepoch: 1000001\n",
		};
		for (const [name, body] of Object.entries(successor))
			doors.files.seed(`${STATE}/${name}`, body);
		w.cleanup.run();
		for (const [name, body] of Object.entries(successor))
			expect(text(name)).toBe(body);
	});

	test("of a refused start leaves the running watcher's files and lock", async () => {
		const first = world();
		await start(first);
		const beside = fakeDoors({ beside: doors, proc: { pid: 5555 } });
		const second = world({
			doors: beside,
			ctx: watcherContext(beside),
			self: selfOf(beside, "/root"),
		});
		const before = doors.files.paths(STATE).map((p) => doors.files.text(p));
		expect(await start(second)).toMatchObject({ exit: 4 });
		second.cleanup.run();
		expect(doors.files.paths(STATE).map((p) => doors.files.text(p))).toEqual(
			before,
		);
		expect(doors.locks.heldPaths()).toHaveLength(1);
	});
});

test("a state dir that cannot be written does not refuse the start; the log says what was not written", async () => {
	doors.files.seed(`${STATE}/last-snapshot.txt`, "old");
	doors.files.faults.readOnly = true;
	expect(await start(world())).toBeNull();
	const warnings = doors.log.messages("warn").join("\n");
	expect(warnings).toContain("could not write the heartbeat");
	expect(warnings).toContain("could not write the pidfile");
});

describe("when the disk is back", () => {
	const publish = (w: StartupWorld, broken: boolean) => {
		const steps = startupSteps(w);
		if (broken) {
			doors.files.faults.readOnly = true;
			doors.locks.cannotOpen(`${STATE}/nexus-instance.lock`, "EROFS");
		}
		const again = () => doors.clock.run(runSteps(PUBLISHING_STEPS, steps));
		return { again };
	};

	test("a watcher that holds its lock publishes again and keeps it", async () => {
		const { again } = publish(world(), false);
		expect(await again()).toBeNull();
		doors.files.remove(`${STATE}/watcher.pid`);
		expect(await again()).toBeNull();
		expect(text("watcher.pid")).toBe(`${PID}\n`);
		expect(doors.locks.heldPaths()).toHaveLength(1);
	});

	test("one that started without the lock takes it, or learns that another has it", async () => {
		const { again } = publish(world(), true);
		expect(await again()).toBeNull();
		doors.files.faults.readOnly = false;
		doors.locks.canOpen(`${STATE}/nexus-instance.lock`);
		const release = doors.locks.takenElsewhere(`${STATE}/nexus-instance.lock`);
		expect(await again()).toMatchObject({ exit: 4 });
		expect(doors.files.has(`${STATE}/watcher.pid`)).toBe(false);
		release();
		expect(await again()).toBeNull();
		expect(text("watcher.pid")).toBe(`${PID}\n`);
	});
});

test("a single pass starts no ticker", async () => {
	await start(world(), true);
	expect(done).not.toContain("ticker");
});
