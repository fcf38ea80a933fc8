/** `bg-firstseen/<window>`, an epoch: since when a worker's background shells outlive its turns (contract 08 §9.3). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import {
	readWindowFile,
	removeWindowFile,
	windowFile,
	writeWindowFile,
} from "./window-file.ts";

export function childrenSincePath(stateDir: string, window: string) {
	return windowFile(join(stateDir, "bg-firstseen"), window);
}

/** Epoch seconds; null: no such shells are known. */
export function readChildrenSince(
	files: Files,
	stateDir: string,
	window: string,
): number | null {
	const path = childrenSincePath(stateDir, window);
	return readWindowFile(files, path, (text) => digits(text.trim()));
}

/** Null: they are gone. */
export function writeChildrenSince(
	files: Files,
	stateDir: string,
	window: string,
	since: number | null,
): void {
	const path = childrenSincePath(stateDir, window);
	if (since === null) removeWindowFile(files, path);
	else writeWindowFile(files, path, `${since}\n`);
}
