/** The respawn for an orchestrator that is not there, and what is learned from its end (contract 04 §14.1). */
import { join } from "node:path";
import { countRespawnFailure } from "../../_liveness/pass-respawn-guard.ts";
import { appendEvent } from "../../_state/action-log-append.ts";
import { readPin } from "../../_state/orchestrator-session-id.ts";
import { resetDeliveryState } from "../../_state/requests-emit.ts";
import { clearRespawnAlarm } from "../../_state/respawn-alarm.ts";
import { clearRespawnFailures } from "../../_state/respawn-failures.ts";
import type { Doors } from "../../_sys/doors.ts";
import {
	briefWindow,
	type RespawnDeps,
	type RespawnEnd,
	respawnOrchestrator,
	whileNobodyPastes,
} from "../_respawn.ts";
import { chooseResumeMode, type ResumeMode } from "./resume-choice.ts";

export interface AgentRequest {
	readonly target: string;
	readonly reason: string;
	/** Epoch seconds of the first miss. */
	readonly since: number;
	/** Of the watcher: a brief that a killed one left goes with the rest of it. */
	readonly scratchDir: string;
	/** The brief for this way of starting. */
	readonly prompt: (mode: ResumeMode) => string;
	readonly signal?: AbortSignal;
}

/** 0 also when an orchestrator turned out to be alive; 4 when the new one was not told why it is there. */
export async function respawnAgent(
	deps: RespawnDeps,
	request: AgentRequest,
): Promise<number> {
	const { doors, home } = deps;
	const { target, signal } = request;
	const mode = chooseResumeMode(doors, home);
	const end = await withPromptFile(doors, request, mode, (promptFile) =>
		respawnOrchestrator(deps, {
			target,
			mode,
			promptFile,
			signal,
			forceReplace: false,
			streakStart: request.since,
		}),
	);
	return learn(deps, request.reason, end);
}

/** Goes on where a watcher that died left a window without its brief. */
export async function briefLeftWindow(
	deps: RespawnDeps,
	windowId: string,
	request: AgentRequest,
): Promise<number> {
	const { doors, home } = deps;
	const { target, signal } = request;
	const mode = chooseResumeMode(doors, home);
	const sessionId = readPin(doors.files, home.stateDir) ?? "";
	const window = { target, windowId, sessionId, mode: mode.kind };
	const end = await withPromptFile(doors, request, mode, (promptFile) =>
		whileNobodyPastes(deps, target, signal, () =>
			briefWindow(deps, { ...window, promptFile, signal }),
		),
	);
	return learn(deps, request.reason, end);
}

async function learn(
	{ doors, home }: RespawnDeps,
	reason: string,
	{ rc, why, isDead }: RespawnEnd,
): Promise<number> {
	const { stateDir } = home;
	const log = (event: string, note: string) =>
		appendEvent(doors, stateDir, { agent: "watcher", event, note });
	switch (rc) {
		case 0:
		case 4: {
			// Also without its brief: the old session is gone, and a window was made. One that died at birth is no success.
			if (isDead) countRespawnFailure(doors, stateDir);
			else clearRespawnFailures(doors.files, stateDir);
			if (rc === 0) clearRespawnAlarm(doors.files, stateDir);
			await resetDeliveryState(doors, stateDir);
			const undelivered = rc === 4 ? ` (brief UNDELIVERED: ${why})` : "";
			log("watcher-respawn-agent", reason + undelivered);
			return rc;
		}
		case 5:
			doors.log.warn(`respawn aborted, an orchestrator may live: ${why}`);
			log("respawn-aborted-live-orchestrator", why);
			return 0;
		case 3:
			countRespawnFailure(doors, stateDir);
			break;
	}
	doors.log.warn(`respawn failed (rc=${rc}): ${why}`);
	return rc;
}

/** One respawn at a time, so one file. */
async function withPromptFile(
	{ files }: Pick<Doors, "files">,
	{ scratchDir, prompt }: AgentRequest,
	mode: ResumeMode,
	act: (path: string) => Promise<RespawnEnd>,
): Promise<RespawnEnd> {
	const path = join(scratchDir, "respawn-brief.md");
	try {
		// A reaper of old files may have taken the folder.
		files.mkdir(scratchDir, 0o700);
		files.writeAtomic(path, prompt(mode), { mode: 0o600 });
		return await act(path);
	} finally {
		files.remove(path);
	}
}
