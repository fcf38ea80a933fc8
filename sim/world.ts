/** The simulated machine: one disk, one tmux server, one clock; an orchestrator, workers, and a watcher that is started again when it died. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { fakeDiff } from "../tests/fakes/diff.ts";
import { type FakeDoors, fakeDoors } from "../tests/fakes/doors.ts";
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import { simClaude } from "./claude.ts";
import { CLAUDE_HOME } from "./claude-outside.ts";
import type { SimClaude, Wiring } from "./claude-types.ts";
import { mayPress } from "./dialogs.ts";
import type { DoorCall } from "./door-call.ts";
import { type SimFleet, simFleet } from "./fleet.ts";
import { type SimGitHub, simGitHub } from "./github.ts";
import { type Halves, halfAnswers } from "./half-answers.ts";
import { type Hands, type SimDoors, watchHands } from "./hands.ts";
import { type Lateness, latenessOf } from "./lateness.ts";
import { answerLaunches } from "./launches.ts";
import type { Life } from "./life.ts";
import { type MachineTime, machineTime } from "./machine-time.ts";
import { CONFIG_PATH, operatorConfig } from "./operator-config.ts";
import { ENV, ROOT, STATE, TARGET } from "./place.ts";
import { readerOf } from "./reader.ts";
import { gate, retires } from "./retire.ts";
import { type SimServices, simServices } from "./services.ts";
import {
	brokenStateFiles,
	drainedFrom,
	growsByAppends,
} from "./state-files.ts";
import { runWatcherAs, type WatcherRun } from "./watcher-run.ts";
import { orchestratorWiring, workerWiring } from "./wiring.ts";

/** What a supervisor waits before it starts a watcher that ended. */
const REVIVE_MS = 20_000;

export interface World {
	readonly doors: FakeDoors;
	/** The text of the configuration that the operator wrote. */
	readonly config: string;
	readonly lateness: Lateness;
	readonly gitHub: SimGitHub;
	readonly watchers: readonly WatcherRun[];
	readonly agents: readonly SimClaude[];
	/** The newest one in the orchestrator's window that lives. */
	orchestrator(): SimClaude | null;
	worker(name: string): SimClaude | null;
	startWatcher(): WatcherRun;
	startWorker(name: string): SimClaude;
	/** The orchestrator lets a worker go, if it may; over when that is. */
	retire(name: string): Promise<void>;
	readonly services: SimServices;
	readonly fleet: SimFleet;
	readonly hands: Hands;
	readonly halves: Halves;
	/** State files that a fault has spoiled; whole again, they count again. */
	readonly spoiled: Set<string>;
	/** Files that a death of a watcher left in pieces, in words. */
	readonly torn: readonly string[];
	readonly time: MachineTime;
	/** The watcher that runs now. */
	watcher(): Life | null;
	/** Everybody's delivered reports: what the orchestrators were sent, in order. */
	delivered(): readonly { readonly text: string; readonly atMs: number }[];
	/** What happened, line by line, for whoever has to understand it. */
	readonly trace: string[];
	/** No watcher is revived any more. */
	end(): void;
}

export interface WorldOptions {
	/** Timers of an idle watcher come as late as they may; else in time. */
	readonly isLate?: boolean;
	/** `monitor.scheduler.max_sleep_seconds`, as the product has it when nothing is set. */
	readonly maxSleepSeconds?: number;
	/** Hears of each call of a watcher's doors. */
	readonly onCall?: (at: string, pid: number, call: DoorCall) => void;
	/** What a test puts between a watcher and its doors. */
	readonly tamper?: (doors: SimDoors) => SimDoors;
}

export function makeWorld(
	seed: number,
	{
		isLate = false,
		maxSleepSeconds = 10,
		onCall,
		tamper = (doors) => doors,
	}: WorldOptions = {},
): World {
	const doors = fakeDoors({ seed, now: 1_785_261_600 });
	const { clock, files, tmux, proc, random } = doors;
	const gitHub = simGitHub(doors);
	const deals = readerOf(gitHub);
	const lateness = latenessOf(clock, seed, { isLate, maxSleepSeconds });
	const config = operatorConfig(maxSleepSeconds);
	const watchers: WatcherRun[] = [];
	const trace: string[] = [];
	const agents: SimClaude[] = [];
	const spoiled = new Set<string>();
	const torn: string[] = [];
	let pids = 200_000;
	const nextPid = () => pids++;
	const time = machineTime(clock);
	let ended = false;

	Object.assign(proc.env, ENV);
	proc.programs.set("claude", "/opt/claude");
	proc.answer("diff", (argv) => fakeDiff(doors, argv[2] ?? "", argv[3] ?? ""));
	files.seed(CONFIG_PATH, config, { mode: 0o600 });
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
	const services = simServices(doors, nextPid);
	const fleet = simFleet(doors);
	const halves = halfAnswers(doors);
	const hands = watchHands(doors, agents, time.steadyMs);
	const ofAProcess = { ...clock, ...clock.aside };
	const outside = { ...doors, clock: ofAProcess, net: gitHub.net };
	proc.answer(/\/retire-preflight\.ts /, (argv) =>
		gate(outside, argv.slice(argv.findIndex((a) => a.endsWith(".ts")) + 1)),
	);

	const sleepy = (from: number, to: number) => () =>
		Math.round(from + random.float() * (to - from));

	function agent(
		window: FakeWindow,
		wiring: Wiring,
		sessionId = random.uuid(),
	): SimClaude {
		const made = simClaude(
			{
				doors,
				stateDir: STATE,
				sessionId,
				pid: nextPid(),
				wiring,
				time,
				turnMs: sleepy(2_000, 40_000),
				onTurn: (text) => {
					if (window.name === TARGET) deals(text);
				},
				mayPress: (dialog, key) =>
					mayPress(dialog, key, window.name === TARGET),
			},
			window,
		);
		agents.push(made);
		return made;
	}
	const startOrchestrator = (window: FakeWindow, sessionId?: string) =>
		agent(window, orchestratorWiring(window), sessionId);

	answerLaunches(doors, {
		isTaken: (window) => agents.some((a) => a.window === window),
		delayMs: sleepy(1_000, 5_000),
		start: startOrchestrator,
		windowsClosed: reap,
	});
	/** Whose window is gone gets SIGHUP. */
	function reap(): void {
		for (const a of agents)
			if (a.isAlive && tmux.model.find(a.window.id) === null) a.exits();
	}

	function startWatcher(): WatcherRun {
		const pid = nextPid();
		const at = () => clock.iso().slice(11, 19);
		const note = (msg: string) => trace.push(`${at()} watcher ${pid}: ${msg}`);
		const own = tamper(hands.on(pid, "watcher", outside));
		const run = runWatcherAs(pid, own, lateness, note, () => {
			lookForPieces(pid);
			if (!ended) clock.after(REVIVE_MS, revive);
		});
		if (onCall !== undefined)
			run.life.onCall((call) => onCall(at(), pid, call));
		watchers.push(run);
		return run;
	}
	/** What a death leaves is as whole as before, but for what a fault had spoiled already. */
	function lookForPieces(pid: number): void {
		const broken = brokenStateFiles(files);
		// What a full disk cuts an append off at is no death's fault.
		if (Number.isFinite(files.faults.freeBytes))
			for (const path of broken) if (growsByAppends(path)) spoiled.add(path);
		for (const path of broken)
			if (spoiled.has(drainedFrom(path))) spoiled.add(path);
			else if (!spoiled.has(path))
				torn.push(`watcher ${pid} left ${path} in pieces`);
		for (const path of spoiled)
			if (!broken.includes(path)) spoiled.delete(path);
	}
	function revive(): void {
		if (!ended && watcher() === null) startWatcher();
	}
	const watcher = () =>
		watchers.findLast(({ life }) => !life.isDead)?.life ?? null;

	startOrchestrator(tmux.window(TARGET));
	return {
		doors,
		config,
		lateness,
		gitHub,
		watchers,
		agents,
		trace,
		startWatcher,
		watcher,
		services,
		fleet,
		hands,
		halves,
		spoiled,
		torn,
		time,
		retire: (name) => {
			const pid = nextPid();
			const own = hands.on(pid, "program", outside);
			// What it could not do it has said to the orchestrator.
			return retires(own, pid, name).catch(() => {});
		},
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
