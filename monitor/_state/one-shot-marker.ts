/**
 * Files whose text is told once and which are then deleted: only after a verified delivery, and
 * only while they still say what was told (contract 01 §11.4, 06 §0).
 */
import { basename } from "node:path";
import type { Files } from "../_sys/doors.ts";

export interface OneShotMarker {
	readonly path: string;
	readonly name: string;
	/** Null: it is there and could not be read. */
	readonly text: string | null;
}

const MAX_BYTES = 256 * 1024;

/** Null when there is none. */
export function readMarker(files: Files, path: string): OneShotMarker | null {
	const name = basename(path);
	const read = files.read(path, MAX_BYTES);
	if (read.kind === "absent") return null;
	return { path, name, text: read.kind === "ok" ? read.text : null };
}

/** A marker that was written anew since it was read stays, and is told next time. */
export function removeMarker(files: Files, marker: OneShotMarker): void {
	if (readMarker(files, marker.path)?.text === marker.text)
		files.remove(marker.path);
}
