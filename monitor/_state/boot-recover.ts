/** `boot-recover.stamp`: mtime, when a boot was last looked into; `boot-recover.log`: what the recoveries that it started said. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

export function bootRecoverLogPath(stateDir: string): string {
	return join(stateDir, "boot-recover.log");
}

export function bootRecoverStampPath(stateDir: string): string {
	return join(stateDir, "boot-recover.stamp");
}

/** Epoch seconds; null when there is none, or it cannot be looked at. */
export function bootRecoverStampAt(
	files: Files,
	stateDir: string,
): number | null {
	return mtimeOf(files, bootRecoverStampPath(stateDir));
}

/** `at` in epoch seconds. */
export function stampBootRecover(
	files: Files,
	stateDir: string,
	at: number,
): WriteResult {
	return files.touch(bootRecoverStampPath(stateDir), { create: true, at });
}
