/**
 * `orchestrator-start`, lines `started_at=`, `session_id=`, `mode=`, `short_lives=`: the newest start that took its brief,
 * until it is known whether it lives, and how many in a row did not (contract 04 §12).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export interface OrchestratorStart {
	/** Epoch seconds of its brief; null: its end is counted already. */
	readonly startedAt: number | null;
	readonly sessionId: string;
	readonly mode: "fresh" | "resume";
	/** Starts in a row that ended soon after their brief. */
	readonly shortLives: number;
}

function orchestratorStartPath(stateDir: string): string {
	return join(stateDir, "orchestrator-start");
}

/** Null for anything that is not whole. */
export function parseOrchestratorStart(text: string): OrchestratorStart | null {
	const kv = parseKv(text);
	const shortLives = digits(kv.get("short_lives"));
	const mode = kv.get("mode");
	if (shortLives === null || (mode !== "fresh" && mode !== "resume"))
		return null;
	const startedAt = digits(kv.get("started_at"));
	return { startedAt, sessionId: kv.get("session_id") ?? "", mode, shortLives };
}

/** Null: none, or it cannot be read: then nothing is held against the next one. */
export function readOrchestratorStart(
	files: Files,
	stateDir: string,
): OrchestratorStart | null {
	const read = files.read(orchestratorStartPath(stateDir));
	return read.kind === "ok" ? parseOrchestratorStart(read.text) : null;
}

/** Replaces the start before. */
export function writeOrchestratorStart(
	files: Files,
	stateDir: string,
	{ startedAt, sessionId, mode, shortLives }: OrchestratorStart,
): WriteResult {
	const text = renderKv([
		["started_at", startedAt ?? "-"],
		["session_id", sessionId],
		["mode", mode],
		["short_lives", shortLives],
	]);
	return files.writeAtomic(orchestratorStartPath(stateDir), text);
}

/** It is known to live: its end will be another matter. */
export function clearOrchestratorStart(files: Files, stateDir: string): void {
	files.remove(orchestratorStartPath(stateDir));
}
