/**
 * `unconfirmed-reports.tsv`, `<epoch>\t<session id or ->\t<seen or blind>\t<signature>`: reports that the screen showed as
 * taken, and that no record has proven, oldest first (contract 04 §6.2).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { isSessionId } from "./orchestrator-session-id.ts";
import { type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface UnconfirmedReport {
	/** `nexus-emit-sig <iso> <nonce>` */
	readonly signature: string;
	/** Epoch seconds, from before its paste: a process that began later has not taken it. */
	readonly at: number;
	/** Null: nobody could name the session that it was pasted into. */
	readonly sessionId: string | null;
	/** That session had a transcript that could be read. */
	readonly hadTranscript: boolean;
}

/** Null for a line that is none. */
export function parseUnconfirmed(line: string): UnconfirmedReport | null {
	const [epoch, session = "", sight, signature = ""] = line.split("\t");
	const at = digits(epoch);
	const sessionId = isSessionId(session) ? session : null;
	if (at === null || !signature.startsWith("nexus-emit-sig ")) return null;
	if (sessionId === null && session !== "-") return null;
	if (sight !== "seen" && sight !== "blind") return null;
	return { signature, at, sessionId, hadTranscript: sight === "seen" };
}

/** Without its newline. */
export function renderUnconfirmed(report: UnconfirmedReport): string {
	const { at, sessionId, hadTranscript, signature } = report;
	const sight = hadTranscript ? "seen" : "blind";
	return [at, sessionId ?? "-", sight, signature].join("\t");
}

/** Oldest first. A damaged file is set aside, and counts as none. */
export function readUnconfirmed(
	doors: StateDoors,
	stateDir: string,
): RowsRead<UnconfirmedReport> {
	return readRows(doors, stateDir, pathOf(stateDir), parseUnconfirmed);
}

/** No rows, no file. */
export function writeUnconfirmed(
	files: Files,
	stateDir: string,
	reports: readonly UnconfirmedReport[],
): WriteResult {
	return writeRows(files, pathOf(stateDir), reports.map(renderUnconfirmed));
}

function pathOf(stateDir: string): string {
	return join(stateDir, "unconfirmed-reports.tsv");
}
