/**
 * A root of its own with real programs: temporary folder, private tmux server, minimal configuration. Everything that
 * was started in it ends with `close`, found by its state dir and ended by pid.
 */
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reapGroup } from "../../monitor/_liveness/reap-group.ts";
import {
	checkWatcher,
	listWatcherGroups,
	type WatcherCheck,
	type WatcherIdentity,
	watcherIdentity,
} from "../../monitor/_liveness/watcher-process.ts";
import { watcherPidPath } from "../../monitor/_state/watcher-pid.ts";
import {
	CODE_ROOT,
	type ProgramName,
	programArgv,
} from "../../monitor/_sys/names.ts";
import { realDoors } from "../../monitor/_sys/real-doors.ts";
import { BUN_DIR } from "./bun-dir.ts";
import { type PrivateTmux, startPrivateTmux } from "./private-tmux.ts";

export interface Ran {
	readonly rc: number;
	readonly out: string;
	readonly err: string;
}
export interface RealRoot {
	readonly root: string;
	readonly stateDir: string;
	readonly configPath: string;
	readonly env: Readonly<Record<string, string>>;
	readonly tmux: PrivateTmux;
	readonly identity: WatcherIdentity;
	run(
		program: ProgramName,
		args?: readonly string[],
		env?: Readonly<Record<string, string>>,
	): Promise<Ran>;
	/** The pidfile's pid; null without a readable one. */
	pid(): number | null;
	check(pid: number): WatcherCheck;
	/** Process groups of this root's watchers. */
	groups(): readonly number[];
	/** Text of a file in the state dir; empty when there is none. */
	state(name: string): string;
	close(): Promise<void>;
}

const CONFIG = "github:\n  repo: someone/assets\n  user_login: someone\n";

export function openRealRoot(): RealRoot {
	const root = mkdtempSync(join(tmpdir(), "nexus-root-"));
	const stateDir = join(root, "monitor/.state");
	const configPath = join(root, "nexus.yml");
	mkdirSync(stateDir, { recursive: true });
	// What a killed program leaves in its temporary folder goes with the root.
	const tmp = join(root, "tmp");
	mkdirSync(tmp);
	writeFileSync(configPath, CONFIG, { mode: 0o600 });
	const tmux = startPrivateTmux();
	const doors = realDoors();
	const env = {
		...tmux.env,
		PATH: `${BUN_DIR}:${tmux.env.PATH ?? "/usr/bin:/bin"}`,
		HOME: root,
		TMPDIR: tmp,
		NEXUS_CONFIG: configPath,
		NEXUS_ROOT: root,
		NEXUS_STATE_DIR: stateDir,
		NEXUS_I_ACCEPT_NO_SANDBOX: "1",
		MONITOR_HEARTBEAT_TICK_SECONDS: "1",
		// The checkout is being worked on while tests run.
		MONITOR_CLONE_DRIFT_ENABLED: "false",
		MONITOR_VERSION_RESTART_ENABLED: "false",
	};
	const identity = watcherIdentity(doors.files, stateDir, CODE_ROOT);
	const groups = (): readonly number[] => {
		const found = listWatcherGroups(doors, identity);
		if (found.kind !== "ok") throw new Error("no process table");
		return found.value.map((g) => g.pgid);
	};
	return {
		root,
		stateDir,
		configPath,
		env,
		tmux,
		identity,
		run: (program, args = [], more = {}) =>
			runIn(programArgv(process.execPath, program, args), root, {
				...env,
				...more,
			}),
		pid: () => {
			try {
				return Number(readFileSync(watcherPidPath(stateDir), "utf8")) || null;
			} catch {
				return null;
			}
		},
		check: (pid) => checkWatcher(doors, pid, identity),
		groups,
		state: (name) => {
			try {
				return readFileSync(join(stateDir, name), "utf8");
			} catch {
				return "";
			}
		},
		close: async () => {
			for (const pgid of groups()) await reapGroup(doors, pgid, 1, identity);
			await tmux.kill();
			rmSync(root, { recursive: true, force: true });
		},
	};
}

/** Runs a program to its end, with its output. */
export async function runIn(
	argv: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
): Promise<Ran> {
	const child = Bun.spawn([...argv], {
		cwd,
		env: { ...env },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	const [out, err] = await Promise.all([
		child.stdout.text(),
		child.stderr.text(),
	]);
	return { rc: await child.exited, out, err };
}
