/** `watcher-cycle`: did a compose cycle complete, and how long does one take (contract 01 §3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateRead } from "./damaged.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { peekState } from "./peek.ts";

export interface WatcherCycle {
	readonly pid: number;
	readonly epoch: number;
	readonly ts: string;
	/** Seconds between the last two cycle ends; 0 = not known. */
	readonly periodSeconds: number;
	/** Moving average of the periods, seconds; 0 = not learned yet. */
	readonly emaSeconds: number;
}

export interface CycleStamp {
	readonly pid: number;
	readonly epoch: number;
	readonly ts: string;
}

export function watcherCyclePath(stateDir: string): string {
	return join(stateDir, "watcher-cycle");
}

/** The next record at a correct cycle end. A clock that stepped back teaches nothing. */
export function bumpCycle(
	prev: WatcherCycle | null,
	at: CycleStamp,
): WatcherCycle {
	const period =
		prev && prev.epoch > 0 && prev.epoch < at.epoch ? at.epoch - prev.epoch : 0;
	const learned = prev?.emaSeconds ?? 0;
	return {
		...at,
		periodSeconds: period,
		emaSeconds: period > 0 ? nextAverage(learned, period) : learned,
	};
}

/** The record at startup: a fresh clock, the learned average kept. */
export function resetCycle(
	prev: WatcherCycle | null,
	at: CycleStamp,
): WatcherCycle {
	return { ...at, periodSeconds: 0, emaSeconds: prev?.emaSeconds ?? 0 };
}

/** Null without an epoch; missing numbers are 0. */
export function parseWatcherCycle(text: string): WatcherCycle | null {
	const kv = parseKv(text);
	const epoch = digits(kv.get("epoch"));
	if (epoch === null) return null;
	return {
		pid: digits(kv.get("pid")) ?? 0,
		epoch,
		ts: kv.get("ts") ?? "",
		periodSeconds: digits(kv.get("period_s")) ?? 0,
		emaSeconds: digits(kv.get("ema_s")) ?? 0,
	};
}

/** Five `key=value` lines; times in seconds. */
export function renderWatcherCycle(c: WatcherCycle): string {
	return renderKv([
		["pid", c.pid],
		["epoch", c.epoch],
		["ts", c.ts],
		["period_s", c.periodSeconds],
		["ema_s", c.emaSeconds],
	]);
}

/** `damaged` is left where it is: the next cycle replaces it. */
export function peekWatcherCycle(
	files: Files,
	stateDir: string,
): StateRead<WatcherCycle> {
	return peekState(files, watcherCyclePath(stateDir), parseWatcherCycle);
}

/** At the end of each compose. */
export function writeWatcherCycle(
	files: Files,
	stateDir: string,
	c: WatcherCycle,
): WriteResult {
	return files.writeAtomic(watcherCyclePath(stateDir), renderWatcherCycle(c));
}

function nextAverage(ema: number, period: number): number {
	return ema === 0 ? period : Math.floor((3 * ema + period) / 4);
}
