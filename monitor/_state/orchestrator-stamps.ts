/** Files whose mtime tells that the orchestrator lives (contract 08 §2.11): touched by its hooks, read by liveness. */
import { dirname, join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { orchestratorHeartbeatPath } from "./orchestrator-heartbeat.ts";

export const ORCHESTRATOR_STAMPS = ["heartbeat", "paste-received"] as const;
export type OrchestratorStamp = (typeof ORCHESTRATOR_STAMPS)[number];

/** `heartbeat`: a turn ended; `paste-received`: a prompt arrived. */
export function orchestratorStampPath(
	stateDir: string,
	stamp: OrchestratorStamp,
): string {
	return stamp === "heartbeat"
		? orchestratorHeartbeatPath(stateDir)
		: join(stateDir, "orchestrator-paste-received");
}

/** Makes folder and file; a hook may be the first to write. */
export function touchOrchestratorStamp(
	files: EverydayFiles,
	stateDir: string,
	stamp: OrchestratorStamp,
): WriteResult {
	const path = orchestratorStampPath(stateDir, stamp);
	files.mkdir(dirname(path));
	return files.touch(path, { create: true });
}
