import { beforeEach, describe, expect, test } from "bun:test";
import { gatherFacts } from "../../monitor/watcher/_startup/facts.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE } from "./watcher-rig.ts";

const CODE = "/code";
const WATCHER = { argv: ["bun", `${CODE}/monitor/watcher/main.ts`] };
let doors: FakeDoors;
beforeEach(() => {
	doors = fakeDoors({ proc: { env: { NEXUS_ROOT: "/root" } } });
	doors.files.seed(
		"/root/config/nexus.yml",
		"github: {repo: acme/assets, user_login: op}\n",
		{ mode: 0o600 },
	);
});
const gather = (...argv: string[]) =>
	doors.clock.run(gatherFacts(doors, argv, CODE));

test("a clean place can start: root and state dir by the environment, target by the config", async () => {
	const { facts, home, loaded } = await gather();
	expect(facts).toEqual({
		otherWatcher: null,
		config: { kind: "ok" },
		args: { kind: "ok", target: null, once: false },
		ownTarget: null,
	});
	expect(home).toEqual({ root: "/root", stateDir: STATE, codeRoot: CODE });
	expect(loaded?.target).toBe("orchestrator");
});

test("without an environment the config's own root is the root", async () => {
	doors = fakeDoors();
	doors.files.seed(
		"/code/config/nexus.yml",
		"nexus: {root: /elsewhere}\ngithub: {repo: acme/assets, user_login: op}\n",
		{ mode: 0o600 },
	);
	const { home, configRoot } = await gather();
	expect(home.root).toBe("/elsewhere");
	expect(configRoot).toBe(CODE);
});

test("--target overrides the configured window", async () => {
	expect((await gather("--target", "other")).loaded?.target).toBe("other");
});

test("a bad config is a refusal with its lines, and nothing to start with", async () => {
	doors.files.seed("/root/config/nexus.yml", "- a\n", { mode: 0o600 });
	const { facts, loaded } = await gather();
	expect(facts.config).toMatchObject({ kind: "refused" });
	expect(loaded).toBeNull();
});

describe("the pidfile", () => {
	const pidfile = (text: string) =>
		doors.files.seed(`${STATE}/watcher.pid`, text);
	const live = (pid: number, over: object = {}) =>
		doors.proc.add({
			pid,
			...WATCHER,
			environ: { NEXUS_STATE_DIR: STATE },
			...over,
		});

	const rows: [string, () => void, number | null][] = [
		["of a live watcher", () => live(77), 77],
		["of a dead process", () => {}, null],
		["of a recycled pid", () => live(77, { argv: ["vim", "main.ts"] }), null],
		[
			"of another state dir's watcher",
			() => live(77, { environ: { NEXUS_STATE_DIR: "/other" } }),
			null,
		],
		[
			"of a process nobody can look into",
			() => live(77, { foreign: true }),
			77,
		],
	];
	test.each(rows)("%s", async (_name, arrange, expected) => {
		pidfile("77\n");
		arrange();
		expect((await gather()).facts.otherWatcher).toBe(expected);
	});

	test("of our own pid is ours", async () => {
		pidfile("4242\n");
		expect((await gather()).facts.otherWatcher).toBeNull();
	});

	test("of zero bytes is set aside, and the process table is asked; nothing is signalled", async () => {
		pidfile("");
		live(77);
		expect((await gather()).facts.otherWatcher).toBe(77);
		expect(doors.files.has(`${STATE}/watcher.pid`)).toBe(false);
		expect(doors.proc.signals).toEqual([]);
	});
});

describe("the window it runs in", () => {
	const runIn = (name: string, shellPid: number, environ = {}) => {
		const window = doors.tmux.window(name);
		window.pane.pid = shellPid;
		doors.proc.env.TMUX_PANE = window.pane.id;
		doors.proc.add({ pid: shellPid, argv: ["bash"], environ });
	};
	const ownParent = (ppid: number) =>
		doors.proc.add({ pid: 4242, ppid, ...WATCHER });

	test("counts when it is the target and one of our ancestors is its shell", async () => {
		runIn("orchestrator", 900);
		ownParent(900);
		expect((await gather()).facts.ownTarget).toMatchObject({
			name: "orchestrator",
			orchestrator: "no",
		});
	});

	test("is known to hold the orchestrator", async () => {
		runIn("orchestrator", 900, { NEXUS_IS_ORCHESTRATOR: "1" });
		ownParent(900);
		expect((await gather()).facts.ownTarget).toMatchObject({
			orchestrator: "yes",
		});
	});

	test("under another name does not count", async () => {
		runIn("scratch", 900);
		ownParent(900);
		expect((await gather()).facts.ownTarget).toBeNull();
	});

	test("of a detached watcher does not count: it inherited the pane's name alone", async () => {
		runIn("orchestrator", 900);
		ownParent(1);
		expect((await gather()).facts.ownTarget).toBeNull();
	});

	test("that tmux cannot tell does not count", async () => {
		runIn("orchestrator", 900);
		ownParent(900);
		doors.tmux.fail("panes", { kind: "hung" });
		expect((await gather()).facts.ownTarget).toBeNull();
	});
});
