/** Replaces the orchestrator's window and briefs the new one (contract 04 §14). */
import type { DeliveryDeps } from "../_delivery/job.ts";
import type { Home } from "../_state/home.ts";
import type { RespawnStage } from "../_state/respawn-bg.ts";
import { briefOrchestrator, whileNobodyPastes } from "./_respawn/brief.ts";
import { learnBrief, learnDeath } from "./_respawn/learn-start.ts";
import { chooseResumeMode, type ResumeMode } from "./_respawn/resume-choice.ts";
import type { RespawnSettings } from "./_respawn/settings.ts";
import {
	dropLauncher,
	paneOfWindow,
	prepareSpawn,
	spawnPrepared,
} from "./_respawn/spawn.ts";
import { verifyTargetAbsent } from "./_respawn/verify.ts";

export { transcriptPaths } from "./_respawn/resume-choice.ts";
export { respawnSettings } from "./_respawn/settings.ts";
export type { ResumeMode };
export { chooseResumeMode, verifyTargetAbsent, whileNobodyPastes };

/** 0 spawned and briefed · 1 usage, or no claude · 2 no tmux · 3 no window · 4 window, but no brief · 5 an orchestrator lives, nothing was ended. */
export type RespawnRc = 0 | 1 | 2 | 3 | 4 | 5;

export interface RespawnDeps extends DeliveryDeps {
	readonly home: Home;
	readonly settings: RespawnSettings;
	/** Told as the respawn moves on; a successor reads it when we die in between. */
	readonly onStage: (stage: RespawnStage) => void;
}
export interface RespawnRequest {
	readonly target: string;
	/** Absent: by the pin. */
	readonly mode?: ResumeMode;
	/** Null: the new orchestrator is told nothing. */
	readonly promptFile: string | null;
	/** The one that runs is known to be wedged: nobody asks whether it lives. */
	readonly forceReplace: boolean;
	/** Asked before a forced replacement: why it is not made after all, or null. */
	readonly veto?: () => Promise<string | null>;
	/** Epoch seconds of the first miss; 0 = nobody counted. */
	readonly streakStart: number;
	/** Heeded between steps. */
	readonly signal?: AbortSignal;
}
export interface RespawnEnd {
	readonly rc: RespawnRc;
	readonly why: string;
	/** `@N` of the new window. */
	readonly windowId: string | null;
	/** Its program ended before it took the brief. */
	readonly isDead?: boolean;
}

/** Takes seconds to minutes; never throws for what tmux, disk or pane may do. */
export async function respawnOrchestrator(
	deps: RespawnDeps,
	request: RespawnRequest,
): Promise<RespawnEnd> {
	const { doors, home, settings, onStage } = deps;
	const { target, signal } = request;
	const mode = request.mode ?? chooseResumeMode(doors, home);
	const place = { doors, home, tmpDir: settings.tmpDir };
	const prepared = await prepareSpawn(place, target, mode);
	if (prepared.kind === "failed") return ended(prepared.rc, prepared.why);
	return whileNobodyPastes(deps, target, signal, async () => {
		const refused = signal?.aborted ? "aborted" : await whyNot(deps, request);
		if (refused !== null) {
			dropLauncher(place, prepared);
			return ended(5, refused);
		}
		const spawned = await spawnPrepared(place, target, prepared, mode);
		if (spawned.kind === "failed") return ended(spawned.rc, spawned.why);
		const { windowId, sessionId } = spawned;
		const pane = await paneOfWindow(doors, windowId);
		if (pane !== null)
			onStage({ kind: "spawned", windowId, server: pane.server });
		const { promptFile } = request;
		const window = { target, windowId, sessionId, mode: mode.kind };
		return briefWindow(deps, { ...window, promptFile, signal });
	});
}

/** Asked with the paste lock in hand: the decision may be minutes old, and so may a look from before the wait for the lock. */
async function whyNot(
	{ doors, home, settings, lookAt }: RespawnDeps,
	request: RespawnRequest,
): Promise<string | null> {
	const { target, forceReplace, veto, streakStart, signal } = request;
	if (forceReplace) return (await veto?.()) ?? null;
	const { root, stateDir } = home;
	const { reprobeMs } = settings;
	const verify = { doors, lookAt, root, stateDir, reprobeMs };
	const found = await verifyTargetAbsent(verify, target, streakStart, signal);
	if (found.kind === "abort") return found.reason;
	return signal?.aborted ? "aborted" : null;
}

/** From a window that stands to a brief that was taken: the second half, also after a crash in between. The caller holds the paste lock. */
export async function briefWindow(
	deps: RespawnDeps,
	w: {
		readonly target: string;
		readonly windowId: string;
		readonly sessionId: string;
		readonly mode: ResumeMode["kind"];
		readonly promptFile: string | null;
		readonly signal?: AbortSignal;
	},
): Promise<RespawnEnd> {
	const { doors, home, settings, onStage } = deps;
	const { promptFile, windowId } = w;
	if (promptFile === null) return { rc: 0, why: "spawned", windowId };
	const prompt = doors.files.read(promptFile);
	if (prompt.kind !== "ok")
		return { rc: 4, why: `${promptFile}: ${prompt.kind}`, windowId };
	const briefed = await briefOrchestrator(
		{ ...deps, root: home.root, settings },
		{ ...w, text: prompt.text },
	);
	if (briefed.kind === "died") learnDeath(doors, home.stateDir, w);
	if (briefed.kind === "submitted") learnBrief(doors, home.stateDir, w);
	if (briefed.kind !== "submitted") {
		doors.log.warn(`respawn: brief not delivered: ${briefed.why}`);
		const isDead = briefed.kind === "died";
		return { rc: 4, why: briefed.why, windowId, isDead };
	}
	onStage({ kind: "briefed" });
	return { rc: 0, why: "spawned and briefed", windowId };
}

function ended(rc: RespawnRc, why: string): RespawnEnd {
	return { rc, why, windowId: null };
}
