/**
 * `orchestrator-fresh-spawn.last`, whose mtime is the clock of the pause between two replacements of a wedged
 * orchestrator, and `orchestrator-fresh-spawn.last-report.md`, what the newest was told (contract 04 §15, §16).
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

function freshSpawnLastPath(stateDir: string): string {
	return join(stateDir, "orchestrator-fresh-spawn.last");
}

/** Named to the new orchestrator, which reads it. */
export function freshSpawnReportPath(stateDir: string): string {
	return join(stateDir, "orchestrator-fresh-spawn.last-report.md");
}

/** Epoch seconds; null: never. */
export function freshSpawnAt(files: Files, stateDir: string): number | null {
	return mtimeOf(files, freshSpawnLastPath(stateDir));
}

/** `now` in epoch seconds; what counts is the mtime. */
export function stampFreshSpawn(
	files: Files,
	stateDir: string,
	now: number,
): WriteResult {
	return files.writeAtomic(freshSpawnLastPath(stateDir), `${now}\n`);
}

/** Replaces the report before; it is the brief of the new orchestrator. */
export function writeFreshSpawnReport(
	files: Files,
	stateDir: string,
	text: string,
): WriteResult {
	return files.writeAtomic(freshSpawnReportPath(stateDir), text, {
		mode: 0o640,
	});
}
