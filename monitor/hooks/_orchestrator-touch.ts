/** The orchestrator's session tells that it lives (contract 08 §2.11). */
import {
	ORCHESTRATOR_STAMPS,
	touchOrchestratorStamp,
} from "../_state/orchestrator-stamps.ts";
import type { HookCall } from "./_io.ts";

/** `orchestrator-touch heartbeat|paste-received`. */
export function touchOrchestrator(call: HookCall): undefined {
	const { env, stateDir, args, files } = call;
	const stamp = ORCHESTRATOR_STAMPS.find((known) => known === args[0]);
	if (stateDir === null || stamp === undefined || env.CLAUDE_JOB_DIR) return;
	touchOrchestratorStamp(files, stateDir, stamp);
}
