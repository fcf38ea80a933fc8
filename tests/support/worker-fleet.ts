/** Workers as the orchestrator starts them: the real `spawn-worker`, the real tmux and Claude Code, a scripted model. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deliveredText } from "../../monitor/_delivery/evidence.ts";
import {
	claudeEnv,
	claudeHomeAt,
} from "../../monitor/_nexus/demo/claude-home.ts";
import { programPath } from "../../monitor/_sys/names.ts";
import { realProc } from "../../monitor/_sys/proc.ts";
import { type ModelRule, startTestModel } from "./model-server.ts";
import { openRealRoot, type Ran, type RealRoot, runIn } from "./real-root.ts";
import { waitUntil } from "./wait-until.ts";

export interface WorkerFleet extends RealRoot {
	readonly model: ReturnType<typeof startTestModel>;
	/** `CLAUDE_CONFIG_DIR` of every worker: they share it, as an operator's do. */
	readonly configDir: string;
	/** A folder below the root. */
	folder(name: string): string;
	/** Runs `spawn-worker`. */
	spawn(...args: string[]): Promise<Ran>;
	/** The same with more environment. */
	spawnWith(
		env: Readonly<Record<string, string>>,
		...args: string[]
	): Promise<Ran>;
	/** Runs `ng`. */
	ng(...args: string[]): Promise<Ran>;
	/** The worker in this window, once its Claude Code has a session file. */
	worker(window: string): Promise<Worker>;
}
export interface Worker {
	readonly pid: number;
	readonly sessionId: string;
	/** `busy`, `idle`, … as Claude Code says. */
	status(): string;
	environ(): Readonly<Record<string, string>>;
	screen(): string;
	/** Every prompt that the session was given, oldest first, as it was delivered. */
	prompts(): readonly string[];
	/** Waits until it was given at least so many: the transcript lags the screen. */
	waitForPrompts(n: number): Promise<readonly string[]>;
	/** Waits for the end of the turn that said this. */
	waitForAnswer(text: string): Promise<void>;
}

const LIMIT_MS = 40_000;

/** `defaultHome`: no `CLAUDE_CONFIG_DIR` is set, as with most operators. `rules` are the model's. */
export function openWorkerFleet(
	opts: {
		readonly defaultHome?: boolean;
		readonly rules?: readonly ModelRule[];
	} = {},
): WorkerFleet {
	const root = openRealRoot();
	const model = startTestModel(opts.rules);
	const made = claudeHomeAt(join(root.root, "claude-code"));
	const where = opts.defaultHome
		? { ...made, configDir: join(made.home, ".claude") }
		: made;
	for (const dir of [where.home, where.configDir, where.tmp])
		mkdirSync(dir, { recursive: true });
	const path = root.env.PATH ?? "";
	const isRoot = process.getuid?.() === 0;
	const claude = claudeEnv({ where, modelUrl: model.url, path, root: isRoot });
	// A window's shell has the server's environment, not that of whoever spawns.
	for (const [name, value] of Object.entries(claude))
		root.tmux.run("set-environment", "-g", name, value);
	const own = ["CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION"];
	if (opts.defaultHome) own.push("CLAUDE_CONFIG_DIR");
	for (const name of own) root.tmux.run("set-environment", "-g", "-u", name);
	const binary = process.env.NEXUS_TEST_CLAUDE;
	const env = {
		...(binary === undefined ? {} : { CLAUDE_BIN: binary }),
		HOME: where.home,
		TMPDIR: where.tmp,
		...(opts.defaultHome ? {} : { CLAUDE_CONFIG_DIR: where.configDir }),
	};
	return {
		...root,
		model,
		configDir: where.configDir,
		folder: (name) => {
			const dir = join(root.root, name);
			mkdirSync(dir, { recursive: true });
			return dir;
		},
		spawn: (...args) => root.run("spawnWorker", args, env),
		spawnWith: (more, ...args) =>
			root.run("spawnWorker", args, { ...env, ...more }),
		ng: (...args) =>
			runIn([programPath("ng"), ...args], root.root, { ...root.env, ...env }),
		worker: (window) => findWorker(root, where.configDir, window),
		close: async () => {
			await root.close();
			await model.stop();
		},
	};
}

/** The claude below the window's shell, by its own session file. */
async function findWorker(
	root: RealRoot,
	configDir: string,
	window: string,
): Promise<Worker> {
	const { tmux } = root;
	const panes = tmux.run(
		"list-panes",
		"-a",
		"-F",
		"#{pane_pid} #{pane_id} #{window_name}",
	);
	const row = panes.split("\n").find((line) => line.endsWith(` ${window}`));
	if (row === undefined) throw new Error(`no window ${window}:\n${panes}`);
	const [shell = "", paneId = ""] = row.split(" ");
	const screen = () => tmux.run("capture-pane", "-p", "-t", paneId);
	const found = await waitUntil(
		`a session in window ${window}`,
		() => sessionBelow(configDir, Number(shell)),
		{ limitMs: LIMIT_MS, describe: screen },
	);
	const { pid, sessionId } = found;
	const status = () => sessionOf(configDir, pid)?.status ?? "none";
	return {
		pid,
		sessionId,
		status,
		screen,
		environ: () => {
			const env = realProc().environ(pid);
			return env.kind === "ok" ? env.value : {};
		},
		prompts: () => readPrompts(configDir, sessionId),
		waitForPrompts: (n) =>
			waitUntil(`${n} prompts in ${window}`, () => {
				const prompts = readPrompts(configDir, sessionId);
				return prompts.length >= n ? prompts : null;
			}),
		waitForAnswer: async (text) => {
			// Idle alone is also what it is before its first turn.
			const isOver = () => screen().includes(text) && status() === "idle";
			await waitUntil(`${window} to have said "${text}"`, isOver, {
				limitMs: LIMIT_MS,
				describe: () => `${status()}\n${screen()}`,
			});
		},
	};
}

export interface Session {
	readonly pid: number;
	readonly sessionId: string;
	readonly status?: string;
}

export function sessionOf(configDir: string, pid: number): Session | null {
	try {
		const path = join(configDir, "sessions", `${pid}.json`);
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return null; // not there yet, or caught in the middle of a write
	}
}

/** Of the youngest generation: a loop starts its claude a few processes down. */
export function sessionBelow(configDir: string, shell: number): Session | null {
	const table = realProc().table();
	if (table.kind !== "ok") return null;
	const below = new Set([shell]);
	// A child whose number is lower than its parent's (pids wrap around) stands before it in the table.
	for (let size = 0; size < below.size; ) {
		size = below.size;
		for (const p of table.value) if (below.has(p.ppid)) below.add(p.pid);
	}
	for (const pid of below) {
		const session = sessionOf(configDir, pid);
		if (session !== null) return session;
	}
	return null;
}

function readPrompts(configDir: string, id: string): readonly string[] {
	const projects = join(configDir, "projects");
	if (!existsSync(projects)) return [];
	const file = readdirSync(projects)
		.map((project) => join(projects, project, `${id}.jsonl`))
		.find((path) => existsSync(path));
	if (file === undefined) return [];
	return readFileSync(file, "utf8")
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line))
		.filter((record) => record.type === "user" && record.isMeta !== true)
		.flatMap((record) => deliveredText(record) || []);
}
