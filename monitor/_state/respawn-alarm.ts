/** `respawn-alarm`: when the operator was last rung because no orchestrator is started (ISO; its mtime counts). Gone once one works. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

function respawnAlarmPath(stateDir: string): string {
	return join(stateDir, "respawn-alarm");
}

/** Epoch seconds of the last ring; null: none since an orchestrator worked. */
export function respawnAlarmAt(files: Files, stateDir: string): number | null {
	return mtimeOf(files, respawnAlarmPath(stateDir));
}

/** What counts is the mtime; the text is for people. */
export function writeRespawnAlarm(
	files: Files,
	stateDir: string,
	iso: string,
): WriteResult {
	return files.writeAtomic(respawnAlarmPath(stateDir), `${iso}\n`);
}

/** An orchestrator took its brief, or a report. */
export function clearRespawnAlarm(files: Files, stateDir: string): void {
	files.remove(respawnAlarmPath(stateDir));
}
