/** `watcher.lock`: who watches which window, for people (contract 01 §2.4). The guard is the instance lock. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";
import { digits, parseColonLines, renderColonLines } from "./kv.ts";
import { peekState } from "./peek.ts";

export interface WatcherLock {
	readonly pid: number;
	readonly startedAt: string;
	readonly targetWindow: string;
	/** `headless`, a window name, or `unknown`. */
	readonly tmuxWindow: string;
	readonly intervalSeconds: number;
}
/** As read: every field may be missing (contract 05 §14.1 prints `?` then). */
export interface WatcherLockView {
	readonly pid: number | null;
	readonly startedAt: string | null;
	readonly targetWindow: string | null;
	readonly tmuxWindow: string | null;
}

export function watcherLockPath(stateDir: string): string {
	return join(stateDir, "watcher.lock");
}

/** Never null: a lock without fields is a lock nobody can be named for. */
export function parseWatcherLock(text: string): WatcherLockView {
	const lines = parseColonLines(text);
	return {
		pid: digits(lines.get("pid")),
		startedAt: lines.get("started_at") || null,
		targetWindow: lines.get("target_window") || null,
		tmuxWindow: lines.get("tmux_window") || null,
	};
}

/** Five `key: value` lines. */
export function renderWatcherLock(lock: WatcherLock): string {
	return renderColonLines([
		["pid", lock.pid],
		["started_at", lock.startedAt],
		["target_window", lock.targetWindow],
		["tmux_window", lock.tmuxWindow],
		["interval_seconds", lock.intervalSeconds],
	]);
}

/** Looks only; whether that pid lives, and is a watcher, is the caller's question. */
export function peekWatcherLock(
	files: Files,
	stateDir: string,
): StateRead<WatcherLockView> {
	return peekState(files, watcherLockPath(stateDir), parseWatcherLock);
}

/** Once, at a start, after the instance lock is held. */
export function writeWatcherLock(
	files: Files,
	stateDir: string,
	lock: WatcherLock,
): WriteResult {
	return files.writeAtomic(watcherLockPath(stateDir), renderWatcherLock(lock));
}

/** At exit: removes the file only while it still names our own pid. */
export function releaseWatcherLock(
	files: Files,
	stateDir: string,
	ownPid: number,
): void {
	const held = peekWatcherLock(files, stateDir);
	if (held.kind === "ok" && held.value.pid === ownPid)
		files.remove(watcherLockPath(stateDir));
}
