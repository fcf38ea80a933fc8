/**
 * `over-limit/<window>.json`: a turn ended at a usage limit. Written by the StopFailure hook, removed
 * by the Stop hook, or by the pane reader when it is over (contract 03 §11, 08 §2.7).
 */
import { dirname } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { firstCharacters } from "./first-characters.ts";
import { epochAt, parseObject, textAt } from "./json-object.ts";
import { mtimeOf } from "./peek.ts";
import { stampPath } from "./stamp-path.ts";

export interface OverLimitStamp {
	/** Epoch seconds: the file's own, else its modification time; null when neither can be had. */
	readonly at: number | null;
	readonly sessionId: string | null;
	readonly message: string;
	/** Reset words as reported, or null. */
	readonly resetAt: string | null;
}

export function overLimitStampPath(stateDir: string, window: string): string {
	return stampPath(stateDir, "over-limit", window);
}

export interface NewOverLimitStamp {
	/** Epoch seconds. */
	readonly at: number;
	readonly sessionId: string | null;
	readonly errorType: string;
	readonly message: string;
	/** Reset words, or null when the error named none. */
	readonly resetAt: string | null;
}

/** A notice is a line or two. */
const MESSAGE_CHARACTERS = 2000;

/** Makes the folder. Times in epoch seconds; the message is cut. */
export function writeOverLimitStamp(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	stamp: NewOverLimitStamp,
): WriteResult {
	const path = overLimitStampPath(stateDir, window);
	const line = JSON.stringify({
		ts: stamp.at,
		session_id: stamp.sessionId,
		error_type: stamp.errorType,
		error_message: firstCharacters(stamp.message, MESSAGE_CHARACTERS),
		reset_at: stamp.resetAt,
		window,
		hook_event_name: "StopFailure",
	});
	files.mkdir(dirname(path));
	return files.writeAtomic(path, `${line}\n`);
}

/** `mtime` (epoch seconds) stands in for a `ts` that does not parse. Null for text that is no JSON object. */
export function parseOverLimitStamp(
	text: string,
	mtime: number | null,
): OverLimitStamp | null {
	const raw = parseObject(text);
	if (raw === null) return null;
	return {
		at: epochAt(raw, "ts") ?? mtime,
		sessionId: textAt(raw, "session_id"),
		message: textAt(raw, "error_message") ?? "",
		resetAt: textAt(raw, "reset_at"),
	};
}

/** The stamp at `path`, or null when there is none that can be read. */
export function readOverLimitStampAt(
	files: EverydayFiles,
	path: string,
): OverLimitStamp | null {
	const read = files.read(path);
	if (read.kind !== "ok") return null;
	return parseOverLimitStamp(read.text, mtimeOf(files, path));
}

/** Best effort: a stamp that is over must not suspend the window for ever. */
export function removeOverLimitStamp(files: EverydayFiles, path: string): void {
	files.remove(path);
}

/** Moves the stamp of a window aside: it speaks of an account that is not logged in any more. */
export function releaseOverLimitStamp(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	now: number,
): void {
	const path = overLimitStampPath(stateDir, window);
	files.rename(path, `${path}.released-credential-change.${now}`);
}
