/**
 * `orchestrator-resume-deaths`, lines `session_id=` and `deaths=`: the session that was resumed and ended before it took
 * its brief, and how many starts in a row ended so, those of fresh sessions in its place included (contract 04 §11, §14).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { isSessionId } from "./orchestrator-session-id.ts";

export interface ResumeDeaths {
	readonly sessionId: string;
	readonly deaths: number;
}

function resumeDeathsPath(stateDir: string): string {
	return join(stateDir, "orchestrator-resume-deaths");
}

/** Null for anything that is not whole. */
function parseResumeDeaths(text: string): ResumeDeaths | null {
	const kv = parseKv(text);
	const sessionId = kv.get("session_id") ?? "";
	const deaths = digits(kv.get("deaths"));
	return isSessionId(sessionId) && deaths !== null && deaths > 0
		? { sessionId, deaths }
		: null;
}

/** Null: none, or it cannot be read: then a session is resumed once more rather than given up. */
export function readResumeDeaths(
	files: Files,
	stateDir: string,
): ResumeDeaths | null {
	const read = files.read(resumeDeathsPath(stateDir));
	return read.kind === "ok" ? parseResumeDeaths(read.text) : null;
}

/** Replaces the count of another session. */
export function writeResumeDeaths(
	files: Files,
	stateDir: string,
	{ sessionId, deaths }: ResumeDeaths,
): WriteResult {
	const text = renderKv([
		["session_id", sessionId],
		["deaths", deaths],
	]);
	return files.writeAtomic(resumeDeathsPath(stateDir), text);
}

/** A start lived long enough to count as one that works. */
export function clearResumeDeaths(files: Files, stateDir: string): void {
	files.remove(resumeDeathsPath(stateDir));
}
