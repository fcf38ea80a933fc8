/** `assets/`: files that were fetched from comments, for agents to look at (contract 05 §12). */
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

/** `name`: one segment. */
export function fetchedAssetPath(stateDir: string, name: string): string {
	return join(stateDir, "assets", name);
}

/** Whole, or not at all. */
export function writeFetched(
	files: Files,
	path: string,
	bytes: Uint8Array,
): WriteResult {
	files.mkdir(dirname(path));
	return files.writeAtomic(path, bytes, { mode: 0o640 });
}
