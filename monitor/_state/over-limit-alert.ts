/** `over-limit-alert.stamp`: epoch at which the operator was last told that reports are held (contract 04 §9.5). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

function overLimitAlertPath(stateDir: string): string {
	return join(stateDir, "over-limit-alert.stamp");
}

/** Null: not yet in this hold. */
export function readLimitAlert(files: Files, stateDir: string): number | null {
	const read = files.read(overLimitAlertPath(stateDir));
	return read.kind === "ok" ? digits(read.text.trim()) : null;
}

/** `at` in epoch seconds. Best effort: a lost one rings again. */
export function writeLimitAlert(
	files: Files,
	stateDir: string,
	at: number,
): void {
	files.writeAtomic(overLimitAlertPath(stateDir), `${at}\n`);
}

/** At the start of a hold: the last one's alert does not count for it. */
export function dropLimitAlert(files: Files, stateDir: string): void {
	files.remove(overLimitAlertPath(stateDir));
}
