/** `spawn-prompts/<window>.txt`: the whole prompt that a worker was started with (contract 08 §8.5). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readWindowFile, windowFile, writeWindowFile } from "./window-file.ts";

/** Null for a name that is no file name. */
export function spawnPromptPath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "spawn-prompts"), window, ".txt");
}

/** Null when there is none, or none that can be read. */
export function readSpawnPrompt(
	files: Files,
	stateDir: string,
	window: string,
): string | null {
	return readWindowFile(files, spawnPromptPath(stateDir, window), (t) => t);
}

/** Replaces that of an older window of this name. */
export function writeSpawnPrompt(
	files: Files,
	stateDir: string,
	window: string,
	prompt: string,
): WriteResult {
	return writeWindowFile(files, spawnPromptPath(stateDir, window), prompt);
}
