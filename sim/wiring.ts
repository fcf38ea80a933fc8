/** Which of our hooks the simulated sessions run, as their settings files say (contract 08 §1). */
import { writeHeartbeat } from "../monitor/hooks/_heartbeat.ts";
import { pinOrchestrator } from "../monitor/hooks/_orchestrator-pin.ts";
import { touchOrchestrator } from "../monitor/hooks/_orchestrator-touch.ts";
import { stampOverLimit } from "../monitor/hooks/_over-limit.ts";
import { clearStamp } from "../monitor/hooks/_stamp-clear.ts";
import { markTurnFailure } from "../monitor/hooks/_turn-failure.ts";
import type { FakeWindow } from "../tests/fakes/tmux-model.ts";
import type { Wiring } from "./claude-types.ts";
import { ENV, TARGET } from "./place.ts";

export function orchestratorWiring(window: FakeWindow): Wiring {
	const touch = (stamp: string) => ({ hook: touchOrchestrator, args: [stamp] });
	return {
		env: {
			...ENV,
			NEXUS_IS_ORCHESTRATOR: "1",
			NEXUS_ORCHESTRATOR_WINDOW: TARGET,
			TMUX_PANE: window.pane.id,
		},
		prompt: [{ hook: pinOrchestrator }, touch("paste-received")],
		tool: [touch("heartbeat")],
		stop: [touch("heartbeat"), { hook: clearStamp, args: ["over-limit"] }],
		failure: [{ hook: stampOverLimit }],
	};
}

export function workerWiring(name: string): Wiring {
	const beat = (event: string) => ({ hook: writeHeartbeat, args: [event] });
	return {
		env: { ...ENV, NEXUS_WORKER_WINDOW: name },
		prompt: [beat("user_prompt")],
		tool: [beat("busy")],
		stop: [
			beat("turn_end"),
			{ hook: clearStamp, args: ["over-limit"] },
			{ hook: clearStamp, args: ["turn-failure"] },
		],
		failure: [{ hook: stampOverLimit }, { hook: markTurnFailure }],
	};
}
