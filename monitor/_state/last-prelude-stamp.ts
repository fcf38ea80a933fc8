/** `last-prelude.ts`: up to when notifications have been counted; epoch seconds with a fraction (contract 03 §12.8). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";

function lastPreludeStampPath(stateDir: string): string {
	return join(stateDir, "last-prelude.ts");
}

/** Epoch seconds with their fraction; null for anything else. */
export function parsePreludeStamp(text: string): number | null {
	const [stamp] = /^\d{1,12}(?:\.\d{1,9})?$/.exec(text.trim()) ?? [];
	return stamp === undefined ? null : Number(stamp);
}

/** 0 before the first count: then everything counts. */
export function readPreludeStamp(doors: StateDoors, stateDir: string): number {
	const path = lastPreludeStampPath(stateDir);
	const read = readState(doors, stateDir, path, parsePreludeStamp);
	return read.kind === "ok" ? read.value : 0;
}

/** Rounded to milliseconds. */
export function writePreludeStamp(
	files: Files,
	stateDir: string,
	epochSeconds: number,
): WriteResult {
	const path = lastPreludeStampPath(stateDir);
	return files.writeAtomic(path, `${epochSeconds.toFixed(3)}\n`);
}
