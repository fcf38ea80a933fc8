/** The simulated machine: one disk, one tmux server, one clock; an orchestrator, workers, and a watcher that is started again when it died. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../monitor/_sys/doors.ts";
import { BUN_FLAGS, CODE_ROOT } from "../monitor/_sys/names.ts";
import type { ProcessEvents } from "../monitor/_sys/process-events.ts";
import { writeHeartbeat } from "../monitor/hooks/_heartbeat.ts";
import { pinOrchestrator } from "../monitor/hooks/_orchestrator-pin.ts";
import { touchOrchestrator } from "../monitor/hooks/_orchestrator-touch.ts";
import { runWatcher } from "../monitor/watcher/run.ts";
import { type FakeDoors, fakeDoors } from "../tests/fakes/doors.ts";
import { SimulatedCrash } from "../tests/fakes/faults.ts";
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import {
	CLAUDE_HOME,
	type SimClaude,
	simClaude,
	type Wiring,
} from "./claude.ts";
import { lineDiff } from "./diff.ts";
import { type Life, startLife } from "./life.ts";

export const ROOT = "/nexus";
export const STATE = `${ROOT}/monitor/.state`;
export const TARGET = "orchestrator";
const ENV = {
	HOME: "/home/op",
	PATH: "/usr/bin:/bin",
	NEXUS_ROOT: ROOT,
	NEXUS_STATE_DIR: STATE,
	NEXUS_I_ACCEPT_NO_SANDBOX: "1",
	CLAUDE_CONFIG_DIR: CLAUDE_HOME,
	WATCHER_WINDOW: "headless",
	TMPDIR: "/tmp",
};
const CONFIG = `github:
  repo: acme/assets
  user_login: op
monitor:
  snapshot:
    git_enabled: false
  # There is no checkout in this world.
  clone_drift:
    enabled: false
  version_restart:
    enabled: false
`;
/** What a supervisor waits before it starts a watcher that ended. */
const REVIVE_MS = 20_000;

/** One watcher, and how it ended. */
export interface WatcherRun {
	readonly life: Life;
	/** Null while it runs or when it was killed. */
	exit: number | null;
	/** A bug: what it threw. */
	crash: string | null;
}

export interface World {
	readonly doors: FakeDoors;
	readonly watchers: readonly WatcherRun[];
	readonly agents: readonly SimClaude[];
	/** The newest one in the orchestrator's window that lives. */
	orchestrator(): SimClaude | null;
	worker(name: string): SimClaude | null;
	startWatcher(): WatcherRun;
	startWorker(name: string): SimClaude;
	/** The watcher that runs now. */
	watcher(): Life | null;
	/** Everybody's delivered reports: what the orchestrators were sent, in order. */
	delivered(): readonly { readonly text: string; readonly atMs: number }[];
	/** What happened, line by line, for whoever has to understand it. */
	readonly trace: string[];
	/** No watcher is revived any more. */
	end(): void;
}

export function makeWorld(seed: number): World {
	const doors = fakeDoors({ seed, now: 1_785_261_600 });
	const { clock, files, tmux, proc, random } = doors;
	const watchers: WatcherRun[] = [];
	const trace: string[] = [];
	const agents: SimClaude[] = [];
	let nextPid = 200_000;
	let ended = false;

	Object.assign(proc.env, ENV);
	proc.programs.set("claude", "/opt/claude");
	proc.answer("diff", (argv) => lineDiff(doors, argv[2] ?? "", argv[3] ?? ""));
	files.seed(`${ROOT}/config/nexus.yml`, CONFIG, { mode: 0o600 });
	for (const name of [
		"config/nexus.example.yml",
		"monitor/orchestrator-settings.json",
		"monitor/worker-settings.json",
		"monitor/watcher/main.ts",
	])
		files.seed(join(ROOT, name), readFileSync(join(CODE_ROOT, name), "utf8"));
	files.seedDir(`${ROOT}/reports`);
	files.seedDir(`${ROOT}/work`);
	files.seedDir(CLAUDE_HOME);

	const sleepy = (from: number, to: number) => () =>
		Math.round(from + random.float() * (to - from));

	function agent(
		window: FakeWindow,
		wiring: Wiring,
		sessionId = random.uuid(),
	): SimClaude {
		const made = simClaude(
			{
				...{ doors, stateDir: STATE, sessionId, pid: nextPid++, wiring },
				turnMs: sleepy(2_000, 40_000),
				onTurn: () => {},
				mayPress: (dialog, key) =>
					dialog.kind === "permission"
						? key === "Enter" && (dialog.selected ?? 0) === 0
						: window.name === TARGET && key === "Escape",
			},
			window,
		);
		agents.push(made);
		return made;
	}
	const startOrchestrator = (window: FakeWindow, sessionId?: string) =>
		agent(window, orchestratorWiring(window), sessionId);

	const awaited = new Set<FakeWindow>();
	// A new orchestrator: the watcher opened a window with a launcher in it.
	tmux.after((call) => {
		if (call.op !== "run") return;
		const { cmd } = call;
		if (cmd.kind === "kill-window") return reap();
		if (cmd.kind !== "new-window" && cmd.kind !== "new-session") return;
		const [launcher] = cmd.command ?? [];
		if (launcher === undefined || !files.has(launcher)) return;
		const window = tmux.model.sessions.flatMap((s) => s.windows).at(-1)?.window;
		const isNew =
			window?.name === TARGET &&
			!agents.some((a) => a.window === window) &&
			!awaited.has(window);
		// A call that failed opened none.
		if (!isNew) return;
		awaited.add(window);
		const session = /(?:--resume|--session-id)[ '"]+([0-9a-f-]{36})/.exec(
			files.text(launcher),
		)?.[1];
		proc.add({ pid: window.pane.pid ?? 0, comm: "bash", exe: "/bin/bash" });
		clock.after(sleepy(1_000, 5_000)(), () => {
			if (tmux.model.find(window.id) !== null)
				startOrchestrator(window, session);
		});
	});
	/** Whose window is gone gets SIGHUP. */
	function reap(): void {
		for (const a of agents)
			if (a.isAlive && tmux.model.find(a.window.id) === null) a.exits();
	}

	function startWatcher(): WatcherRun {
		const pid = nextPid++;
		proc.add({
			...{ pid, comm: "bun", environ: ENV, cwd: ROOT },
			argv: ["bun", ...BUN_FLAGS, `${ROOT}/monitor/watcher/main.ts`],
		});
		const note = (msg: string) =>
			trace.push(`${clock.iso().slice(11, 19)} watcher ${pid}: ${msg}`);
		const log: Log = {
			info: (msg) => {
				note(msg);
				doors.log.info(msg);
			},
			warn: (msg) => {
				note(msg);
				doors.log.warn(msg);
			},
		};
		note("started");
		const life: Life = startLife({ ...doors, log }, pid, ENV, () => {
			note("ended");
			proc.end(pid);
			if (!ended) clock.after(REVIVE_MS, revive);
		});
		const run: WatcherRun = { life, exit: null, crash: null };
		watchers.push(run);
		const { events, atExit } = eventsOf(life, run);
		runWatcher({ doors: life.doors, events, codeRoot: ROOT }, []).then(
			(code) => {
				run.exit = code;
				atExit();
				life.kill();
			},
			(error) => {
				if (!(error instanceof SimulatedCrash))
					run.crash = error instanceof Error ? (error.stack ?? "") : `${error}`;
				atExit();
				life.kill();
			},
		);
		return run;
	}
	function revive(): void {
		if (!ended && watcher() === null) startWatcher();
	}
	const watcher = () =>
		watchers.findLast(({ life }) => !life.isDead)?.life ?? null;

	startOrchestrator(tmux.window(TARGET));
	return {
		...{ doors, watchers, agents, trace, startWatcher, watcher },
		orchestrator: () =>
			agents.findLast((a) => a.isAlive && a.window.name === TARGET) ?? null,
		worker: (name) =>
			agents.findLast((a) => a.isAlive && a.window.name === name) ?? null,
		startWorker: (name) => {
			const window = tmux.window(name);
			return agent(window, workerWiring(name));
		},
		delivered: () =>
			agents
				.filter((a) => a.window.name === TARGET)
				.flatMap((a) => a.sent)
				.toSorted((a, b) => a.atMs - b.atMs),
		end: () => {
			ended = true;
			for (const { life } of watchers) life.kill();
		},
	};
}

function eventsOf(life: Life, run: WatcherRun) {
	const atExit: (() => void)[] = [];
	const ends = () => {
		if (life.isDead) return;
		for (const handler of atExit.splice(0)) handler();
	};
	const events: ProcessEvents = {
		onSignal: () => {},
		onExit: (handler) => void atExit.push(handler),
		onStrayRejection: () => {},
		onUncaught: () => {},
		keepAlive: () => {},
		exit: (code) => {
			run.exit = code;
			ends();
			life.kill();
			throw new SimulatedCrash("exited");
		},
		exportEnv: () => {},
	};
	return { events, atExit: ends };
}

function orchestratorWiring(window: FakeWindow): Wiring {
	const touch = (stamp: string) => ({ hook: touchOrchestrator, args: [stamp] });
	return {
		env: {
			...ENV,
			NEXUS_IS_ORCHESTRATOR: "1",
			NEXUS_ORCHESTRATOR_WINDOW: TARGET,
			TMUX_PANE: window.pane.id,
		},
		prompt: [{ hook: pinOrchestrator }, touch("paste-received")],
		tool: [touch("heartbeat")],
		stop: [touch("heartbeat")],
	};
}

function workerWiring(name: string): Wiring {
	const beat = (event: string) => ({ hook: writeHeartbeat, args: [event] });
	return {
		env: { ...ENV, NEXUS_WORKER_WINDOW: name },
		prompt: [beat("user_prompt")],
		tool: [beat("busy")],
		stop: [beat("turn_end")],
	};
}
