/** `background-progress/<window>`, `<cpu ticks>\t<epoch>`: when the background shells of a worker last used the processor (contract 03 §12.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { readWindowFile, windowFile, writeWindowFile } from "./window-file.ts";

export interface BackgroundProgress {
	/** utime + stime of all of them, in ticks. */
	readonly cpuTicks: number;
	/** Since when the number stands, epoch seconds. */
	readonly at: number;
}

export function backgroundProgressPath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "background-progress"), window);
}

/** Null unless both are numbers. */
export function parseBackgroundProgress(
	text: string,
): BackgroundProgress | null {
	const [ticks, epoch] = text.trimEnd().split("\t");
	const cpuTicks = digits(ticks);
	const at = digits(epoch);
	return cpuTicks === null || at === null ? null : { cpuTicks, at };
}

/** Null when nothing is known, or nothing that can be read. */
export function readBackgroundProgress(
	files: Files,
	stateDir: string,
	window: string,
): BackgroundProgress | null {
	const path = backgroundProgressPath(stateDir, window);
	return readWindowFile(files, path, parseBackgroundProgress);
}

/** `at` in epoch seconds: when the ticks last grew. */
export function writeBackgroundProgress(
	files: Files,
	stateDir: string,
	window: string,
	{ cpuTicks, at }: BackgroundProgress,
): WriteResult {
	const path = backgroundProgressPath(stateDir, window);
	return writeWindowFile(files, path, `${cpuTicks}\t${at}\n`);
}
