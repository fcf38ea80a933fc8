/**
 * `user-prompt/<window>` = `<epoch>\t<session id>`: the last prompt that was submitted there, written by
 * a hook (contract 03 §12.1). Apart from the heartbeat, which the next tool call overwrites.
 */
import { dirname, join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export interface UserPrompt {
	/** Epoch seconds. */
	readonly at: number;
	readonly sessionId: string | null;
}

/** The window's name as it is; whoever asks has seen to it that it is a file name. */
export function userPromptPath(stateDir: string, window: string): string {
	return join(stateDir, "user-prompt", window);
}

/** Null without a time; epoch seconds. */
export function parseUserPrompt(text: string): UserPrompt | null {
	const [epoch, sessionId = ""] = text.trimEnd().split("\t");
	const at = digits(epoch);
	return at === null ? null : { at, sessionId: sessionId.trim() || null };
}

/** Null when there is none; a name that is no file name has none. */
export function readUserPrompt(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): UserPrompt | null {
	if (window === "" || window.includes("/")) return null;
	const read = files.read(userPromptPath(stateDir, window));
	return read.kind === "ok" ? parseUserPrompt(read.text) : null;
}

/** The last submit wins. */
export function writeUserPrompt(
	files: EverydayFiles,
	stateDir: string,
	window: string,
	{ at, sessionId }: UserPrompt,
): WriteResult {
	const path = userPromptPath(stateDir, window);
	const id = (sessionId ?? "").replace(/[\0-\x1f\x7f]/g, "");
	files.mkdir(dirname(path));
	return files.writeAtomic(path, `${at}\t${id}\n`);
}
