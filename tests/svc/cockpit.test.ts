/** The cockpit's place, its way out, and the facts it looks up (contract 06 §7). */
import { describe, expect, test } from "bun:test";
import { readSettings } from "../../monitor/_state/settings.ts";
import { gatherFleet } from "../../monitor/_svc/cockpit/fleet-facts.ts";
import { guardPlace, judgePlace } from "../../monitor/_svc/cockpit/guard.ts";
import { leaveClean } from "../../monitor/_svc/cockpit/leave-clean.ts";
import type {
	ProcessEvents,
	QuitSignal,
} from "../../monitor/_sys/process-events.ts";
import { fakeDoors } from "../fakes/doors.ts";
import type { FakeWindow } from "../fakes/tmux-model.ts";
import { type WatcherWorld, watcherWorld } from "../support/watcher-world.ts";

const NOW = 1_800_000_000;

describe("where it may run", () => {
	const facts = {
		own: { windowId: "@3", name: "services" },
		isShared: false,
		target: "orchestrator",
		servicesWindow: "services",
		other: null,
	};
	const target = { windowId: "@1", name: "orchestrator" };

	test("in a window of its own", () => {
		expect(judgePlace(facts)).toEqual({ kind: "go" });
	});

	test("not in the orchestrator's, which is renamed so that its absence shows", () => {
		expect(judgePlace({ ...facts, own: target })).toMatchObject({
			kind: "refuse",
			rename: { windowId: "@1", name: "services-misplaced" },
		});
	});

	test("a live orchestrator beside it keeps its window's name", () => {
		expect(judgePlace({ ...facts, own: target, isShared: true })).toMatchObject(
			{ kind: "refuse", rename: null },
		);
	});

	test("not twice", () => {
		const other = { pid: 77, window: "desk" };
		expect(judgePlace({ ...facts, other })).toMatchObject({
			kind: "refuse",
			lines: [
				"a cockpit runs already: pid 77, window 'desk'; once: monitor/svc.ts status",
			],
		});
	});

	test("when nobody can tell, an operator may look", () => {
		expect(judgePlace({ ...facts, own: null })).toEqual({ kind: "go" });
	});

	/** A cockpit about to draw in a window of this name; what else its window shows. */
	async function drawIn(
		name: string,
		make: (world: WatcherWorld, own: FakeWindow) => void = () => {},
	) {
		const world = await watcherWorld();
		const { doors, settings } = world;
		const own = doors.tmux.window(name);
		own.pane.pid = 600;
		doors.proc.add({ pid: 600, argv: ["sh"] });
		doors.proc.add({ pid: doors.proc.pid, ppid: 600 });
		doors.proc.env.TMUX_PANE = own.pane.id;
		make(world, own);
		const rc = await guardPlace(doors, settings);
		return { rc, name: own.name, said: doors.log.messages().join("\n") };
	}
	/** Claude Code in a second pane of the window. */
	const besideClaude = ({ doors }: WatcherWorld, own: FakeWindow) => {
		const [pane] = doors.tmux.window("other").panes;
		if (pane === undefined) return;
		pane.pid = 610;
		own.panes.push(pane);
		doors.proc.add({ pid: 610, argv: ["claude"], comm: "claude" });
	};

	test("looked up: the orchestrator's window gets another name, by its id, and 4 is the answer", async () => {
		const done = await drawIn("orchestrator");
		expect(done).toMatchObject({ rc: 4, name: "services-misplaced" });
		expect(done.said).toContain("tmux new-window -n services monitor/svc.ts");
		expect(done.said).toContain("the window is now named 'services-misplaced'");
	});

	test("looked up: with a live orchestrator in it, it keeps its name", async () => {
		const done = await drawIn("orchestrator", besideClaude);
		expect(done).toMatchObject({ rc: 4, name: "orchestrator" });
	});

	test.each<[string, string, (w: WatcherWorld) => void]>([
		["a window of its own", "services", () => {}],
		[
			"a pane that is not ours: the variable was inherited",
			"orchestrator",
			({ doors }) => doors.proc.add({ pid: doors.proc.pid, ppid: 1 }),
		],
		[
			"a tmux that cannot be asked",
			"orchestrator",
			({ doors }) => void doors.tmux.fail("panes", { kind: "hung" }),
		],
	])("looked up: %s keeps nobody from looking", async (_, name, make) => {
		expect(await drawIn(name, make)).toEqual({ rc: null, name, said: "" });
	});
});

describe("every way out restores the terminal", () => {
	function ways(isAway = false) {
		const trace: string[] = [];
		const handlers = new Map<string, (arg?: unknown) => void>();
		const events: ProcessEvents = {
			onSignal: (signal: QuitSignal, handler) => handlers.set(signal, handler),
			onExit: (handler) => handlers.set("exit", handler),
			onStrayRejection: (handler) => handlers.set("rejection", handler),
			onUncaught: (handler) => handlers.set("uncaught", handler),
			keepAlive: () => {},
			exportEnv: () => {},
			exit: (code) => {
				trace.push(`exit ${code}`);
				return undefined as never;
			},
		};
		const terminal = {
			size: () => null,
			write: () => {},
			enter: () => {},
			leave: () => trace.push("leave"),
			onKeys: () => {},
			onResize: () => {},
		};
		leaveClean(terminal, events, {
			end: (exit) => trace.push(`end ${exit}`),
			isAway: () => isAway,
			warn: (line) => trace.push(line),
		});
		return {
			trace,
			happens: (what: string) => handlers.get(what)?.(new Error("x")),
		};
	}

	test.each([
		["SIGINT", ["end 130"]],
		["SIGTERM", ["end 130"]],
		["SIGHUP", ["end 130"]],
		["exit", ["leave"]],
		["uncaught", ["leave", "the cockpit failed: Error: x", "exit 1"]],
		["rejection", ["leave", "the cockpit failed: Error: x", "exit 1"]],
	])("%s", (what, trace) => {
		const w = ways();
		w.happens(what);
		expect(w.trace).toEqual(trace);
	});

	test("Ctrl-C ends a log that has the screen, and not the cockpit", () => {
		const w = ways(true);
		w.happens("SIGINT");
		expect(w.trace).toEqual([]);
		w.happens("SIGTERM");
		expect(w.trace).toEqual(["end 130"]);
	});
});

test("the agents' facts come from disk and tmux, and nothing is written", async () => {
	const doors = fakeDoors({
		now: NOW,
		auto: true,
		proc: { env: { HOME: "/h", NEXUS_ROOT: "/n" } },
	});
	const { files } = doors;
	const S = "/n/monitor/.state";
	files.seed(`${S}/diffs/2027-01-15_07-59-30_ab12_poll-requests.md`, "x");
	files.seed(`${S}/diffs/2027-01-15_07-00-00_ab13.md`, "x");
	files.seed(`${S}/decisions/ask.0123456789ab.json`, "{}", { mtime: NOW - 60 });
	files.seed(`${S}/decisions/old.0123456789ab.json`, "{}");
	files.seed(`${S}/decisions/old.0123456789ab.handled.json`, "{}");
	files.seed(`${S}/over-limit-state.tsv`, "torn\n");
	doors.tmux.window("shell");
	for (const [at, name] of ["orchestrator", "build", "services"].entries()) {
		const { pane } = doors.tmux.window(name);
		pane.pid = 700 + at;
		doors.proc.add({ pid: 700 + at, comm: "claude", exe: "/opt/claude" });
	}
	const before = files.paths();
	const settings = await readSettings(doors, "/code", false);
	expect(await gatherFleet(doors, settings, new Set(["services"]))).toEqual({
		now: NOW,
		orchestrator: { window: "orchestrator", state: "unknown", ageSeconds: 0 },
		// A shell is none, and neither is what a service runs.
		workers: [{ window: "build", state: "unknown", ageSeconds: 0 }],
		reports: [
			{ at: NOW - 30, reason: "poll-requests" },
			{ at: NOW - 3600, reason: "poll" },
		],
		delivery: { lastAt: null, failures: 0 },
		decisions: [{ window: "ask", ageSeconds: 60 }],
		gitHub: { kind: "off" },
		limits: [],
	});
	expect(files.paths()).toEqual(before);
});
