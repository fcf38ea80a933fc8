/**
 * What is learned from a start of the orchestrator: one that ends before it took its brief, or soon after, is a failure like
 * a window that could not be made (contract 04 §12). Without that, a program that ends at its first turn is started anew
 * for ever: each brief that it took, and each report, would clear what counts against it.
 */
import { countRespawnFailure } from "../../_liveness/pass-respawn-guard.ts";
import {
	clearOrchestratorStart,
	type OrchestratorStart,
	readOrchestratorStart,
	writeOrchestratorStart,
} from "../../_state/orchestrator-start.ts";
import {
	clearResumeDeaths,
	readResumeDeaths,
	writeResumeDeaths,
} from "../../_state/resume-deaths.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { Doors } from "../../_sys/doors.ts";

type StartDoors = Pick<Doors, "clock" | "files">;
type Started = Pick<OrchestratorStart, "mode" | "sessionId">;

/** Seconds. What cannot work ends in its first turn; who is ended later was killed, and is to come back at once each time. */
const SHORT_LIFE = 30;

/** It ended before it took its brief. */
export function learnDeath(
	{ files }: Pick<Doors, "files">,
	stateDir: string,
	{ mode, sessionId }: Started,
): void {
	const past = readResumeDeaths(files, stateDir);
	if (mode === "resume" && past?.sessionId !== sessionId)
		writeResumeDeaths(files, stateDir, { sessionId, deaths: 1 });
	else if (past !== null)
		writeResumeDeaths(files, stateDir, { ...past, deaths: past.deaths + 1 });
}

/** It took its brief; whether it lives, is seen. */
export function learnBrief(
	{ clock, files }: StartDoors,
	stateDir: string,
	{ mode, sessionId }: Started,
): void {
	const shortLives = readOrchestratorStart(files, stateDir)?.shortLives ?? 0;
	const startedAt = clock.now();
	const start = { startedAt, sessionId, mode, shortLives };
	writeOrchestratorStart(files, stateDir, start);
}

/** The target is missing: counted at the first look that misses it. */
export function learnEnd(doors: StartDoors, stateDir: string): void {
	const { clock, files } = doors;
	const start = readOrchestratorStart(files, stateDir);
	if (start === null || start.startedAt === null) return;
	if (hasLived(start.startedAt, clock.now())) {
		learnLife(doors, stateDir);
		return;
	}
	const shortLives = start.shortLives + 1;
	const counted = { ...start, startedAt: null, shortLives };
	writeOrchestratorStart(files, stateDir, counted);
	learnDeath(doors, stateDir, start);
	// A report that it took meanwhile has cleared the count of failures.
	countRespawnFailure(doors, stateDir, shortLives);
}

/** The target is there. */
export function learnPresence(doors: StartDoors, stateDir: string): void {
	const { clock, files } = doors;
	const start = readOrchestratorStart(files, stateDir);
	if (start === null || start.startedAt === null) return;
	if (hasLived(start.startedAt, clock.now())) learnLife(doors, stateDir);
}

/** A stamp that is not credible is held against nobody. */
function hasLived(startedAt: number, now: number): boolean {
	const age = ageSeconds(now, startedAt, SHORT_LIFE);
	return age === null || age >= SHORT_LIFE;
}

function learnLife({ files }: StartDoors, stateDir: string): void {
	clearOrchestratorStart(files, stateDir);
	if (readResumeDeaths(files, stateDir) !== null)
		clearResumeDeaths(files, stateDir);
}
