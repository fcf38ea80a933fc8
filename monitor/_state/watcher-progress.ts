/** `watcher-progress`: does the loop move (contract 01 §3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

const PROGRESS_STAGES = [
	"startup",
	"startup:github-done",
	"startup:local-done",
	"startup:canonical-check",
	"startup:composing-emit",
	"startup:emit-composed",
	"startup:done",
	"compose:start",
	"loop-tick",
] as const;
export type ProgressStage = (typeof PROGRESS_STAGES)[number];

export interface WatcherProgress {
	readonly pid: number;
	readonly epoch: number;
	readonly ts: string;
	readonly stage: string;
}

export function watcherProgressPath(stateDir: string): string {
	return join(stateDir, "watcher-progress");
}

/** Null without pid and epoch. A stage this version does not know is kept as it is. */
export function parseWatcherProgress(text: string): WatcherProgress | null {
	const kv = parseKv(text);
	const pid = digits(kv.get("pid"));
	const epoch = digits(kv.get("epoch"));
	if (pid === null || epoch === null) return null;
	return {
		pid,
		epoch,
		ts: kv.get("ts") ?? "",
		stage: kv.get("stage") ?? "",
	};
}

/** Four `key=value` lines; what counts is the mtime. */
export function renderWatcherProgress(p: WatcherProgress): string {
	return renderKv([
		["pid", p.pid],
		["epoch", p.epoch],
		["ts", p.ts],
		["stage", p.stage],
	]);
}

/** At each step that moves, never on a timer: a loop that hangs must look so. */
export function writeWatcherProgress(
	files: Files,
	stateDir: string,
	p: WatcherProgress & { readonly stage: ProgressStage },
): WriteResult {
	return files.writeAtomic(
		watcherProgressPath(stateDir),
		renderWatcherProgress(p),
	);
}
