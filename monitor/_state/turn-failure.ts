/**
 * `turn-failure/<window>.json`: a turn that ended in an API error instead of a Stop (contract 08 §2.8). Written by a hook,
 * removed by the next Stop; a crashed turn leaves the screen of a finished one, so only this tells them apart.
 */
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { firstCharacters } from "./first-characters.ts";
import { epochAt, parseObject, textAt } from "./json-object.ts";
import { stampPath } from "./stamp-path.ts";
import { readWindowFile, windowFile, writeWindowFile } from "./window-file.ts";

export interface TurnFailure {
	/** Epoch seconds; null when its `ts` is no time. */
	readonly at: number | null;
	readonly category: string;
	/** `paste`, `respawn`, `operator` or `none`: who or what gets the worker going again. */
	readonly recovery: string;
	readonly sessionId: string | null;
}

/** Null for a name that is no file name. */
export function turnFailurePath(stateDir: string, window: string) {
	return windowFile("", window) === null
		? null
		: stampPath(stateDir, "turn-failure", window);
}

/** Fields of a wrong type count as absent; null for text that is no JSON object. */
export function parseTurnFailure(text: string): TurnFailure | null {
	const raw = parseObject(text);
	if (raw === null) return null;
	return {
		at: epochAt(raw, "ts"),
		category: textAt(raw, "category") ?? "unknown",
		recovery: textAt(raw, "recovery") ?? "paste",
		sessionId: textAt(raw, "session_id"),
	};
}

/** Null when there is none, or none that can be read. */
export function readTurnFailure(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): TurnFailure | null {
	const path = turnFailurePath(stateDir, window);
	return readWindowFile(files, path, parseTurnFailure);
}

export interface NewTurnFailure {
	/** Epoch seconds. */
	readonly at: number;
	/** The error's type, as reported. */
	readonly error: string;
	readonly category: string;
	readonly recovery: string;
	/** Its start is kept. */
	readonly message: string;
	readonly sessionId: string | null;
}

const MESSAGE_CHARACTERS = 200;

/** `at` in epoch seconds; the message is cut. Makes the folder. */
export function writeTurnFailure(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	failure: NewTurnFailure,
): WriteResult {
	const line = JSON.stringify({
		ts: failure.at,
		error: failure.error,
		category: failure.category,
		recovery: failure.recovery,
		last_msg: firstCharacters(failure.message, MESSAGE_CHARACTERS),
		session_id: failure.sessionId,
		window,
		hook_event_name: "StopFailure",
	});
	const path = turnFailurePath(stateDir, window);
	return writeWindowFile(files, path, `${line}\n`);
}
