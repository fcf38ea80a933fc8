/**
 * Starts the watcher: the one way, whoever asks (contract 01 §17). Nothing is signalled before the configuration is
 * known to be good, so that a bad edit never turns a restart into an outage.
 */
import { passSandboxGate } from "../_liveness/pass-sandbox-gate.ts";
import {
	checkWatcher,
	listWatcherGroups,
	type WatcherIdentity,
	watcherIdentity,
} from "../_liveness/watcher-process.ts";
import type { Home } from "../_state/home.ts";
import { peekWatcherPid } from "../_state/watcher-pid.ts";
import { watcherRestartLockPath } from "../_state/watcher-restart-lock.ts";
import type { Doors, Proc } from "../_sys/doors.ts";
import type { LaunchArgs } from "./_launch/args.ts";
import { auditor } from "./_launch/audit.ts";
import { clearTheWay } from "./_launch/clear-the-way.ts";
import { startWatcher } from "./_launch/start.ts";

/** What the launcher needs of the configuration, which is loaded in full before anything else happens. */
export type LaunchConfig =
	| {
			readonly kind: "ok";
			readonly target: string;
			readonly beaconWindowSeconds: number;
	  }
	| { readonly kind: "bad"; readonly lines: readonly string[] };

export interface LaunchInput {
	readonly args: LaunchArgs;
	readonly home: Home;
	readonly config: LaunchConfig;
	/** One line of standard output. */
	readonly print: (line: string) => void;
}
/** 0 runs (or `--ensure` had nothing to do), 1 one lives already, 2 refused, 3 did not come up, 4 another instance, 5 restart lock or read-only disk, 6 more than one. */
export type LaunchExit = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * The contract's exit codes: 2 cannot start, 5 another launcher is at work or the disk takes no writes; the rest as
 * `start.ts` ends.
 */
export async function launch(
	doors: Doors,
	input: LaunchInput,
): Promise<LaunchExit> {
	const { home, args, config } = input;
	const identity = watcherIdentity(doors.files, home.stateDir, home.codeRoot);
	if (config.kind === "bad") return refuseConfig(doors, home, identity, config);
	doors.files.mkdir(home.stateDir);
	const accepted = args.acceptNoSandbox;
	if (!passSandboxGate(doors, home.stateDir, accepted, "launcher")) return 2;
	if (doors.proc.which("tmux") === null) {
		doors.log.warn("tmux is not installed, or not on PATH");
		return 2;
	}
	const path = watcherRestartLockPath(home.stateDir);
	const wait = secondsOf(doors.proc, "WATCHER_RESTART_LOCK_WAIT", 45);
	const lock = await doors.locks.acquireWithin(path, wait * 1000);
	if (lock.kind === "held") {
		doors.log.warn(`another launcher is at work (${path}); nothing was done`);
		return 5;
	}
	// On a read-only disk it cannot be created; the instance lock still stands between two watchers.
	if (lock.kind === "cannot-open")
		doors.log.warn(`no restart lock (${lock.reason}): ${path}`);
	try {
		return await launchAlone(doors, input, identity, config);
	} finally {
		if (lock.kind === "acquired") lock.lock.release();
	}
}

async function launchAlone(
	doors: Doors,
	{ home, args, print }: LaunchInput,
	identity: WatcherIdentity,
	config: Extract<LaunchConfig, { kind: "ok" }>,
): Promise<LaunchExit> {
	const audit = auditor(doors, home.stateDir);
	const cleared = await clearTheWay(
		doors,
		home.stateDir,
		identity,
		args.mode,
		secondsOf(doors.proc, "WATCHER_REPLACE_KILL_WAIT", 10),
		audit,
	);
	if (cleared.kind === "stop") return cleared.exit;
	return startWatcher(
		doors,
		{
			home,
			identity,
			target: args.target ?? config.target,
			leftoverWindow: args.window,
			beaconWindowSeconds: config.beaconWindowSeconds,
			writable: cleared.writable,
			stalePidfile: cleared.stalePidfile,
			how: `replace=${args.mode === "replace"} ensure=${args.mode === "ensure"}`,
			print,
		},
		audit,
	);
}

function refuseConfig(
	doors: Doors,
	home: Home,
	identity: WatcherIdentity,
	config: Extract<LaunchConfig, { kind: "bad" }>,
): 2 {
	for (const line of config.lines) doors.log.warn(line);
	const file = peekWatcherPid(doors.files, home.stateDir);
	const groups = listWatcherGroups(doors, identity);
	const alive =
		(file.kind === "ok" &&
			checkWatcher(doors, file.value, identity) === "live") ||
		(groups.kind === "ok" && groups.value.length > 0);
	doors.log.warn(
		alive
			? "config invalid — the running watcher was left alone"
			: "config invalid — nothing was started",
	);
	return 2;
}

/** A whole number of seconds from the environment; anything else is the default. */
function secondsOf(proc: Proc, name: string, otherwise: number): number {
	const text = proc.env[name] ?? "";
	return /^\d{1,6}$/.test(text) ? Number(text) : otherwise;
}
