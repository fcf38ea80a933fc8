/**
 * `over-limit/<window>.json`: a turn ended at a usage limit. Written by the StopFailure hook, removed
 * by the Stop hook, or by the pane reader when it is over (contract 03 §11, 08 §2.7).
 */
import { dirname } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { firstCharacters } from "./first-characters.ts";
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
	let raw: unknown;
	try {
		raw = JSON.parse(text);
	} catch {
		return null;
	}
	if (typeof raw !== "object" || raw === null || Array.isArray(raw))
		return null;
	const field = (key: string): unknown => Reflect.get(raw, key);
	return {
		at: epochOf(field("ts")) ?? mtime,
		sessionId: word(field("session_id")),
		message: word(field("error_message")) ?? "",
		resetAt: word(field("reset_at")),
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

function epochOf(value: unknown): number | null {
	if (typeof value === "number" && Number.isFinite(value)) return value;
	if (typeof value !== "string") return null;
	if (/^\d{1,15}$/.test(value)) return Number(value);
	const ms = Date.parse(value);
	return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

function word(value: unknown): string | null {
	return typeof value === "string" && value !== "" ? value : null;
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
