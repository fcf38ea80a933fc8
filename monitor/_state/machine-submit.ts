/** `machine-submit/<window>`, `<epoch>`: the last prompt that we submitted there; it makes an older wrap-up history (contract 03 §12.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { readWindowFile, windowFile, writeWindowFile } from "./window-file.ts";

/** Null for a name that is no file name. */
export function machineSubmitPath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "machine-submit"), window);
}

/** Epoch seconds; null when there was none, or none that can be read. */
export function readMachineSubmit(
	files: Files,
	stateDir: string,
	window: string,
): number | null {
	const path = machineSubmitPath(stateDir, window);
	return readWindowFile(files, path, (text) => digits(text.trim()));
}

/** `at` in epoch seconds. */
export function writeMachineSubmit(
	files: Files,
	stateDir: string,
	window: string,
	at: number,
): WriteResult {
	return writeWindowFile(files, machineSubmitPath(stateDir, window), `${at}\n`);
}
