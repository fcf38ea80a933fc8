/** The real watcher program on a temporary root and a private tmux server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programArgv } from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import type { PrivateTmux } from "../support/private-tmux.ts";
import { waitUntil } from "../support/wait-until.ts";

export interface Root {
	readonly root: string;
	readonly stateDir: string;
	readonly env: Readonly<Record<string, string>>;
	readonly config: string;
	state(name: string): string;
	has(name: string): boolean;
}

/** A root below the server's own folder, with the two keys an operator must set. */
export function makeRoot(tmux: PrivateTmux, name: string): Root {
	const root = join(tmux.dir, name);
	const stateDir = join(root, "monitor/.state");
	const config = join(root, "config/nexus.yml");
	mkdirSync(join(root, "config"), { recursive: true });
	mkdirSync(stateDir, { recursive: true });
	writeFileSync(
		config,
		`nexus: {root: ${root}}\ngithub: {repo: acme/assets, user_login: op}\n`,
		{ mode: 0o600 },
	);
	return {
		root,
		stateDir,
		config,
		env: {
			...tmux.env,
			HOME: tmux.dir,
			TMPDIR: tmux.dir,
			NEXUS_ROOT: root,
			NEXUS_STATE_DIR: stateDir,
			XDG_RUNTIME_DIR: tmux.dir,
			// As the launcher says; otherwise the sweep has a legacy hosting to report.
			WATCHER_WINDOW: "headless",
			MONITOR_HEARTBEAT_TICK_SECONDS: "1",
			// The checkout is being worked on while tests run.
			MONITOR_CLONE_DRIFT_ENABLED: "false",
			MONITOR_VERSION_RESTART_ENABLED: "false",
		},
		state: (file) => readFileSync(join(stateDir, file), "utf8"),
		has: (file) => existsSync(join(stateDir, file)),
	};
}

export interface WatcherProcess {
	readonly pid: number;
	readonly exited: Promise<number>;
	log(): string;
	signal(signal: NodeJS.Signals): void;
}

const started: Bun.Subprocess[] = [];
let count = 0;

export function startWatcher(
	at: Root,
	args: readonly string[] = [],
	opts: {
		readonly env?: Readonly<Record<string, string>>;
		readonly cwd?: string;
	} = {},
): WatcherProcess {
	const log = join(at.root, `watcher-${++count}.log`);
	const child = Bun.spawn(
		[...programArgv(process.execPath, "watcherMain", args)],
		{
			cwd: opts.cwd ?? at.root,
			env: { ...at.env, ...opts.env },
			stdin: "ignore",
			stdout: "ignore",
			stderr: Bun.file(log),
		},
	);
	started.push(child);
	return {
		pid: child.pid,
		exited: child.exited,
		log: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
		signal: (signal) => child.kill(signal),
	};
}

/** A watcher in its loop. */
export async function startedWatcher(
	at: Root,
	args: readonly string[] = [],
	opts: Parameters<typeof startWatcher>[2] = {},
): Promise<WatcherProcess> {
	const watcher = startWatcher(at, args, opts);
	await waitUntil(
		"the watcher's first loop",
		() =>
			at.has("watcher-progress") &&
			at.state("watcher-progress").includes(`pid=${watcher.pid}\n`) &&
			at.state("watcher-progress").includes("stage=loop-tick"),
		{ describe: watcher.log },
	);
	return watcher;
}

export async function endWatchers(): Promise<void> {
	for (const child of started.splice(0)) {
		child.kill("SIGKILL");
		await child.exited;
	}
}

/** Pids of the tickers that report this watcher's life. */
export function tickersOf(stateDir: string): readonly number[] {
	const { proc } = realDoors();
	const table = proc.table();
	if (table.kind !== "ok") throw new Error("no process table");
	return table.value
		.map(({ pid }) => pid)
		.filter((pid) => {
			const argv = proc.argv(pid);
			const line = argv.kind === "ok" ? argv.value.join(" ") : "";
			return line.includes("heartbeat-ticker.ts") && line.includes(stateDir);
		});
}
