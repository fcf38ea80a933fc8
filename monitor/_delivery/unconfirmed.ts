/**
 * Reports that count as told although no record proves them (contract 04 §6.2): the screen showed them as taken. They are
 * remembered until one does, because a session that is killed before it has written one forgets them.
 */
import {
	readUnconfirmed,
	type UnconfirmedReport,
	writeUnconfirmed,
} from "../_state/unconfirmed-reports.ts";
import type { Doors } from "../_sys/doors.ts";
import type { InTranscript } from "./report-queue.ts";
import type { LookIntoSessions } from "./session-reports.ts";

type UnconfirmedDoors = Pick<Doors, "files" | "clock" | "log" | "proc">;

/** As many as somebody may be asked to read again. */
const MOST = 20;

/**
 * Pure. Where no transcript can be read nothing is ever proven, and only the last one is kept: a session that took it has
 * lived on after those before.
 */
export function withUnconfirmed(
	reports: readonly UnconfirmedReport[],
	report: UnconfirmedReport,
): readonly UnconfirmedReport[] {
	const { signature, sessionId, hadTranscript } = report;
	const others = reports.filter(
		(other) =>
			other.signature !== signature &&
			(hadTranscript || other.hadTranscript || other.sessionId !== sessionId),
	);
	return [...others, report].slice(-MOST);
}

/** Pure: those that stand in no prompt of these sessions. */
export function unproven(
	reports: readonly UnconfirmedReport[],
	sessions: readonly InTranscript[],
): readonly UnconfirmedReport[] {
	return reports.filter(
		({ signature }) => !sessions.some(({ taken }) => taken.has(signature)),
	);
}

/** Before anything is learned from its delivery. */
export function rememberUnconfirmed(
	doors: Omit<UnconfirmedDoors, "proc">,
	stateDir: string,
	report: UnconfirmedReport,
): void {
	const read = readUnconfirmed(doors, stateDir);
	const wrote =
		read.kind === "ok"
			? writeUnconfirmed(
					doors.files,
					stateDir,
					withUnconfirmed(read.rows, report),
				)
			: { kind: "failed", reason: read.why };
	if (wrote.kind === "failed")
		doors.log.warn(
			`${report.signature} is not written down as unconfirmed (${wrote.reason}): nobody tells it again if its session dies now`,
		);
}

/** The record may lag the Enter, and a long transcript is read at its end alone: looked for while the session lives. */
export function forgetProven(
	doors: UnconfirmedDoors,
	stateDir: string,
	look: LookIntoSessions,
	sessionId: string | null,
): void {
	const read = readUnconfirmed(doors, stateDir);
	if (read.kind !== "ok" || read.rows.length === 0) return;
	const sessions = look(doors, sessionsOf(read.rows, sessionId));
	if (sessions === null) return;
	const left = unproven(read.rows, [...sessions.values()].flat());
	if (left.length < read.rows.length)
		writeUnconfirmed(doors.files, stateDir, left);
}

/** Where a proof may stand, each once: in their own sessions, and in `further`. */
export function sessionsOf(
	reports: readonly UnconfirmedReport[],
	...further: readonly (string | null)[]
): readonly string[] {
	const ids = [...reports.map(({ sessionId }) => sessionId), ...further];
	return [...new Set(ids.filter((id) => id !== null))];
}
