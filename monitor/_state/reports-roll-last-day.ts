/** `reports-roll-last-day`: the local day on which reports were last archived (contract 01 §21). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

function reportsRollLastDayPath(stateDir: string): string {
	return join(stateDir, "reports-roll-last-day");
}

/** `YYYY-MM-DD`; null when absent or anything else: then reports are archived again, which moves nothing twice. */
export function readReportsRollLastDay(
	files: Files,
	stateDir: string,
): string | null {
	const read = files.read(reportsRollLastDayPath(stateDir), 4096);
	const day = read.kind === "ok" ? read.text.trim() : "";
	return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null;
}

/** `day` is the local `YYYY-MM-DD`. */
export function writeReportsRollLastDay(
	files: Files,
	stateDir: string,
	day: string,
): WriteResult {
	return files.writeAtomic(reportsRollLastDayPath(stateDir), `${day}\n`);
}
