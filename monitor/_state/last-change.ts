/** `last-change.txt`: the last composed report, for the operator (contract 01 §26). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export function lastChangePath(stateDir: string): string {
	return join(stateDir, "last-change.txt");
}

export function writeLastChange(
	files: Files,
	stateDir: string,
	body: string,
): WriteResult {
	return files.writeAtomic(lastChangePath(stateDir), body);
}
