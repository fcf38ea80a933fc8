/** `watcher-heartbeat`: does the watcher process exist and get scheduled (contract 01 §3). Its age is its mtime's. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { peekState } from "./peek.ts";

export interface WatcherHeartbeat {
	/** The main watcher's pid, also when the ticker writes. */
	readonly pid: number;
	readonly ts: string;
	readonly target: string;
}

export function watcherHeartbeatPath(stateDir: string): string {
	return join(stateDir, "watcher-heartbeat");
}

/** Null without a pid. */
export function parseWatcherHeartbeat(text: string): WatcherHeartbeat | null {
	const kv = parseKv(text);
	const pid = digits(kv.get("pid"));
	if (pid === null) return null;
	return { pid, ts: kv.get("ts") ?? "", target: kv.get("target") ?? "" };
}

/** Three `key=value` lines, for people; what counts is the mtime. */
export function renderWatcherHeartbeat(h: WatcherHeartbeat): string {
	return renderKv([
		["pid", h.pid],
		["ts", h.ts],
		["target", h.target],
	]);
}

/** `damaged` is left where it is: the next beat replaces it. */
export function peekWatcherHeartbeat(
	files: Files,
	stateDir: string,
): StateRead<WatcherHeartbeat> {
	return peekState(
		files,
		watcherHeartbeatPath(stateDir),
		parseWatcherHeartbeat,
	);
}

/** By the watcher and by its ticker. */
export function writeWatcherHeartbeat(
	files: Files,
	stateDir: string,
	h: WatcherHeartbeat,
): WriteResult {
	return files.writeAtomic(
		watcherHeartbeatPath(stateDir),
		renderWatcherHeartbeat(h),
	);
}
