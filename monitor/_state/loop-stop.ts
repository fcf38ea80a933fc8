/** `loop-stop/<window>.flag`: the operator's wish that a looping worker stops; it is used up by being read (contract 04 §17). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { windowFile } from "./window-file.ts";

/** Null for a name that is no file name. */
export function loopStopPath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "loop-stop"), window, ".flag");
}

/** Was it there? Then it is gone now. */
export function takeLoopStop(
	files: Files,
	stateDir: string,
	window: string,
): boolean {
	const path = loopStopPath(stateDir, window);
	if (path === null || files.lstat(path).kind !== "ok") return false;
	files.remove(path);
	return true;
}
