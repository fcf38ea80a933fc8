/** `orchestrator-heartbeat`: its mtime is the orchestrator's last turn end, touched by a hook (contract 08 §2.11). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

export function orchestratorHeartbeatPath(stateDir: string): string {
	return join(stateDir, "orchestrator-heartbeat");
}

/** Epoch seconds, or null. */
export function orchestratorTurnEndAt(
	files: Files,
	stateDir: string,
): number | null {
	return mtimeOf(files, orchestratorHeartbeatPath(stateDir));
}
