/**
 * The guard every restart of the watcher by itself must pass: a cooldown and a loop guard, shared by
 * self-heal (contract 01 §14) and version drift (06 §9.4), so that two causes cannot restart it twice as often.
 * Files in `version/`: `watcher.restart.last` (mtime), `self-restart-history.txt` (an epoch a line),
 * `self-restart-tripped` (mtime).
 */
import { join } from "node:path";
import type { Clock, Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { mtimeOf } from "./peek.ts";

export interface RestartGuardLimits {
	/** `monitor.version_restart.self`. */
	readonly selfAllowed: boolean;
	readonly cooldownSeconds: number;
	readonly loopLimit: number;
	readonly loopWindowSeconds: number;
}
export interface RestartGuardFacts {
	readonly now: number;
	/** Epoch seconds of the last restart, of the tripped stamp; null = none. */
	readonly lastRestartAt: number | null;
	readonly trippedAt: number | null;
	/** Null = the history could not be read. */
	readonly history: readonly number[] | null;
	/** Result of a fresh write probe of `version/`. */
	readonly writable: boolean;
}
/**
 * `trip`: refused now and the stamp is to be written. `allowed.clear`: an old trip has served its time; stamp and
 * history go first.
 */
export type RestartVerdict =
	| { readonly kind: "allowed"; readonly clear: boolean }
	| { readonly kind: "refused"; readonly why: string }
	| { readonly kind: "trip"; readonly why: string; readonly count: number };

/** May the watcher restart itself now? Pure. A stamp further ahead than its own window does not count. */
export function decideSelfRestart(
	f: RestartGuardFacts,
	limits: RestartGuardLimits,
): RestartVerdict {
	if (!limits.selfAllowed)
		return refused("monitor.version_restart.self is off");
	if (within(f.lastRestartAt, f.now, limits.cooldownSeconds))
		return refused(
			`restart cooldown: last restart less than ${limits.cooldownSeconds}s ago`,
		);
	if (within(f.trippedAt, f.now, limits.loopWindowSeconds))
		return refused(
			`restart loop guard tripped less than ${limits.loopWindowSeconds}s ago`,
		);
	if (f.history === null) return refused("restart history could not be read");
	const clear = f.trippedAt !== null;
	const count = clear
		? 0
		: f.history.filter((at) => Math.abs(f.now - at) <= limits.loopWindowSeconds)
				.length;
	if (count >= limits.loopLimit)
		return {
			kind: "trip",
			why: `restart loop guard: ${count} restarts within ${limits.loopWindowSeconds}s (limit=${limits.loopLimit})`,
			count,
		};
	if (!f.writable) return refused("state dir is not writable");
	return { kind: "allowed", clear };
}

/** Looks at the guard's files and probes the disk (incident: a self-restart on a read-only disk killed the only watcher). */
export function readRestartGuard(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
): RestartGuardFacts {
	const { files, clock } = doors;
	const dir = versionDir(stateDir);
	const made = files.mkdir(dir);
	return {
		now: clock.now(),
		lastRestartAt: mtimeOf(files, restartLastPath(stateDir)),
		trippedAt: mtimeOf(files, restartTrippedPath(stateDir)),
		history: readHistory(files, stateDir),
		writable: made.kind === "ok" && files.probeWritable(dir).kind === "ok",
	};
}

/** Before the restart starts: history, then cooldown. False = could not be recorded, so do not restart. */
export function recordSelfRestart(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	clear: boolean,
): boolean {
	const { files, clock } = doors;
	if (clear) {
		files.remove(restartTrippedPath(stateDir));
		files.remove(restartHistoryPath(stateDir));
	}
	return (
		files.append(restartHistoryPath(stateDir), `${clock.now()}\n`).kind ===
			"ok" &&
		files.touch(restartLastPath(stateDir), { create: true }).kind === "ok"
	);
}

/** Stamps the trip, so that later tries are refused without counting. */
export function recordTrip(files: Files, stateDir: string): void {
	files.touch(restartTrippedPath(stateDir), { create: true });
}

/** Also holds what each component runs (`version-record.ts`). */
export function versionDir(stateDir: string): string {
	return join(stateDir, "version");
}

export function restartLastPath(stateDir: string): string {
	return join(versionDir(stateDir), "watcher.restart.last");
}

export function restartHistoryPath(stateDir: string): string {
	return join(versionDir(stateDir), "self-restart-history.txt");
}

export function restartTrippedPath(stateDir: string): string {
	return join(versionDir(stateDir), "self-restart-tripped");
}

function readHistory(files: Files, stateDir: string): readonly number[] | null {
	const read = files.read(restartHistoryPath(stateDir));
	if (read.kind === "unreadable") return null;
	if (read.kind === "absent") return [];
	return read.text
		.split("\n")
		.map((line) => digits(line.trim()))
		.filter((epoch) => epoch !== null);
}

function within(
	at: number | null,
	now: number,
	windowSeconds: number,
): boolean {
	return at !== null && Math.abs(now - at) < windowSeconds;
}

function refused(why: string): RestartVerdict {
	return { kind: "refused", why };
}
