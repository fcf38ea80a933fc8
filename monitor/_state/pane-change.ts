/** `pane-change/<window>`, `<hash>\t<epoch>`: when the window's transcript last said something new (contract 03 §12.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { readWindowFile, windowFile, writeWindowFile } from "./window-file.ts";

export interface PaneChange {
	/** Digest of the transcript; empty: nobody has read it yet. */
	readonly hash: string;
	/** Epoch seconds. */
	readonly at: number;
}

/** Null for a name that is no file name. */
export function paneChangePath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "pane-change"), window);
}

/** Null without a time; epoch seconds. */
export function parsePaneChange(text: string): PaneChange | null {
	const [hash, epoch] = text.replace(/\n+$/, "").split("\t");
	const at = digits(epoch);
	return hash === undefined || at === null ? null : { hash, at };
}

/** Null when nobody has looked yet, or when it cannot be read. */
export function readPaneChange(
	files: Files,
	stateDir: string,
	window: string,
): PaneChange | null {
	const path = paneChangePath(stateDir, window);
	return readWindowFile(files, path, parsePaneChange);
}

/** `at` in epoch seconds: when this hash was first seen. */
export function writePaneChange(
	files: Files,
	stateDir: string,
	window: string,
	{ hash, at }: PaneChange,
): WriteResult {
	const path = paneChangePath(stateDir, window);
	return writeWindowFile(files, path, `${hash}\t${at}\n`);
}
