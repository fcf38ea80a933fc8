/** `cc-update-surfaced`: the newest Claude Code that was told, or handed to an evaluator; it is not told again (contract 06 §12). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export function ccUpdateSurfacedPath(stateDir: string): string {
	return join(stateDir, "cc-update-surfaced");
}

/** Empty when nothing was told. */
export function readCcUpdateSurfaced(files: Files, stateDir: string): string {
	const read = files.read(ccUpdateSurfacedPath(stateDir), 4096);
	return read.kind === "ok" ? read.text.trim() : "";
}

/** A report with it was delivered, or an evaluator was started. */
export function writeCcUpdateSurfaced(
	files: Files,
	stateDir: string,
	candidate: string,
): WriteResult {
	return files.writeAtomic(ccUpdateSurfacedPath(stateDir), `${candidate}\n`);
}
