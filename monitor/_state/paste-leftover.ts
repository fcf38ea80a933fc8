/** `paste-leftover/<key>`: the cleaned text that we left in a pane's box unsent, newest only (contract 04 §5.5). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { paneKey } from "./pane-key.ts";

export function pasteLeftoverPath(stateDir: string, window: string): string {
	return join(stateDir, "paste-leftover", paneKey(window));
}

/** Null when there is none, or it cannot be read: then nothing in the box is provably ours. */
export function readLeftover(
	files: Files,
	stateDir: string,
	window: string,
): string | null {
	const read = files.read(pasteLeftoverPath(stateDir, window));
	return read.kind === "ok" && read.text !== "" ? read.text : null;
}

/** Flushed to disk: it must outlive a crash between paste and Enter. */
export function writeLeftover(
	files: Files,
	stateDir: string,
	window: string,
	text: string,
): WriteResult {
	files.mkdir(join(stateDir, "paste-leftover"));
	return files.writeAtomic(pasteLeftoverPath(stateDir, window), text, {
		mode: 0o600,
		fsync: true,
	});
}

/** Once the box is seen without it. */
export function dropLeftover(
	files: Files,
	stateDir: string,
	window: string,
): void {
	files.remove(pasteLeftoverPath(stateDir, window));
}
