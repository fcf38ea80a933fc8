/** A watcher that looks after its orchestrator: the real watcher, tmux and Claude Code, a scripted model, a root of their own. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { claudeHomeAt } from "../../monitor/_nexus/demo/claude-home.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import type { ModelRule } from "./model-server.ts";
import { waitUntil } from "./wait-until.ts";
import {
	openWorkerFleet,
	type Worker,
	type WorkerFleet,
} from "./worker-fleet.ts";

export interface OrchestratorWorld extends WorkerFleet {
	/** The one in the target's window, once its first turn is over. */
	orchestrator(): Promise<Worker>;
	/** The one in its place later, briefed in its turn. */
	nextOrchestrator(before: Worker): Promise<Worker>;
	/** A session of its own in its place. */
	orchestratorOtherThan(before: Worker): Promise<Worker>;
	/** Pids of every live process with the orchestrator's mark that is a claude. */
	orchestrators(): readonly number[];
	/** Once the last one was killed. */
	startWatcher(): Promise<void>;
	/** Waits for a line of the watcher's log, or of its alerts. */
	said(what: string | RegExp): Promise<void>;
}

export interface WorldOptions {
	/** The watcher's environment. */
	readonly env?: Readonly<Record<string, string>>;
	readonly rules?: readonly ModelRule[];
	/** The operator's own shell lines, which the launcher of an orchestrator reads last of all. */
	readonly localsEnv?: string;
	/** tmux lets none of its own children stand still: Claude Code runs one process below the window's. */
	readonly isSuspendable?: boolean;
	/** Before there is a watcher. */
	readonly prepare?: (fleet: WorkerFleet) => void | Promise<void>;
}

export const TARGET = "orchestrator";
/** The program that is started. */
export const CLAUDE =
	process.env.NEXUS_TEST_CLAUDE ??
	resolve(import.meta.dir, "../../node_modules/.bin/claude");
const LIMIT_MS = 60_000;

/** So many at once: the start of a Claude Code takes a core for some seconds. */
const free = { slots: 4 };

/** Nobody starts an orchestrator: the watcher finds none, and opens one. The world ends with `act`. */
export async function withOrchestratorWorld(
	opts: WorldOptions,
	act: (world: OrchestratorWorld) => Promise<void>,
): Promise<void> {
	await waitUntil("a free core", () => free.slots > 0, { limitMs: 600_000 });
	free.slots--;
	const world = openWorld(opts);
	try {
		await opts.prepare?.(world);
		await world.startWatcher();
		await act(world);
	} finally {
		await world.close();
		await endStragglers(world);
		free.slots++;
	}
}

/** One that ran below its window's process ends after it, and writes its last files into a folder that is gone. */
async function endStragglers({
	orchestrators,
	root,
}: OrchestratorWorld): Promise<void> {
	for (const pid of orchestrators()) realProc().signal(pid, "SIGKILL");
	await waitUntil("their end", () => orchestrators().length === 0);
	rmSync(root, { recursive: true, force: true });
}

function openWorld(opts: WorldOptions): OrchestratorWorld {
	const { rules, localsEnv } = opts;
	const fleet = openWorkerFleet({ rules });
	const wrapper = opts.isSuspendable ? writeWrapper(fleet) : {};
	if (localsEnv !== undefined) writeLocalsEnv(fleet, localsEnv);
	const describe = () =>
		`${fleet.state("watcher.log").slice(-4000)}\n${panes(fleet)}`;
	/** Briefs of each when it was handed out: on a busy machine its successor is briefed before anybody counts again. */
	const known = new Map<Worker, number>();
	const briefed = (isNews: (found: Worker) => boolean) =>
		waitUntil(
			"a briefed orchestrator",
			async () => {
				if (!panes(fleet).includes(` 0 ${TARGET}`)) return null;
				const found = await fleet.worker(TARGET).catch(() => null);
				const isOver = found?.status() === "idle" && isNews(found);
				if (!isOver) return null;
				known.set(found, briefsOf(found).length);
				return found;
			},
			{ limitMs: LIMIT_MS, describe },
		);
	return {
		...fleet,
		orchestrator: () => briefed((found) => briefsOf(found).length > 0),
		orchestratorOtherThan: ({ sessionId }) =>
			briefed(
				(found) => found.sessionId !== sessionId && briefsOf(found).length > 0,
			),
		nextOrchestrator: (before) => {
			const told = known.get(before) ?? briefsOf(before).length;
			return briefed(
				(found) => found.pid !== before.pid && briefsOf(found).length > told,
			);
		},
		orchestrators: () => markedClaudes(fleet.stateDir),
		startWatcher: () => startWatcher(fleet, { ...wrapper, ...opts.env }),
		said: async (what) => {
			await waitUntil(
				`the watcher to say ${what}`,
				() => {
					const log = `${fleet.state("watcher.log")}${fleet.state("watcher-alerts.log")}`;
					return typeof what === "string" ? log.includes(what) : what.test(log);
				},
				{ limitMs: LIMIT_MS, describe },
			);
		},
	};
}

export function writeLocalsEnv({ root }: WorkerFleet, lines: string): void {
	const path = join(root, "monitor/locals-env.sh");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, lines);
}

function writeWrapper({ root }: WorkerFleet): Readonly<Record<string, string>> {
	const path = join(root, "below");
	writeFileSync(path, `#!/bin/sh\n'${CLAUDE}' "$@"\nexit $?\n`, {
		mode: 0o755,
	});
	return { CLAUDE_BIN: path };
}

async function startWatcher(
	fleet: WorkerFleet,
	env: Readonly<Record<string, string>>,
): Promise<void> {
	const where = claudeHomeAt(join(fleet.root, "claude-code"));
	const started = await fleet.run("launcher", ["--target", TARGET], {
		HOME: where.home,
		TMPDIR: where.tmp,
		CLAUDE_CONFIG_DIR: where.configDir,
		...env,
	});
	if (started.rc !== 0) throw new Error(`no watcher: ${started.err}`);
}

/** What a session was told of its respawn; one that has said nothing yet has no transcript. */
export function briefsOf(found: Worker): readonly string[] {
	try {
		return found
			.prompts()
			.filter((text) => /respawned|## Recovery context/.test(text));
	} catch {
		return [];
	}
}

/** `<pane> <pid> <dead> <window>` a line. */
export function panes({ tmux }: Pick<WorkerFleet, "tmux">): string {
	const format = "#{pane_id} #{pane_pid} #{pane_dead} #{window_name}";
	return tmux.run("list-panes", "-a", "-F", format);
}

/** What a claude starts bears its name and environment until it becomes what it shall be: that is no second one. */
function markedClaudes(stateDir: string): readonly number[] {
	const proc = realProc();
	const table = proc.table();
	const marked = (table.kind === "ok" ? table.value : []).filter(
		({ pid, comm }) => {
			const env = proc.environ(pid);
			return (
				env.kind === "ok" &&
				env.value.NEXUS_IS_ORCHESTRATOR === "1" &&
				env.value.NEXUS_STATE_DIR === stateDir &&
				comm.startsWith("claude")
			);
		},
	);
	return marked.flatMap(({ pid, ppid }) =>
		marked.some((other) => other.pid === ppid) ? [] : [pid],
	);
}
