/**
 * One episode without a sign of life after a paste (contract 04 §16): `orchestrator-unresponsive-since` and
 * `orchestrator-resubmit-attempted` by their mtime, `orchestrator-idle-override-count` as an integer.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { mtimeOf } from "./peek.ts";

function unresponsiveSincePath(stateDir: string): string {
	return join(stateDir, "orchestrator-unresponsive-since");
}

function resubmitAttemptedPath(stateDir: string): string {
	return join(stateDir, "orchestrator-resubmit-attempted");
}

function idleOverrideCountPath(stateDir: string): string {
	return join(stateDir, "orchestrator-idle-override-count");
}

export interface UnresponsiveEpisode {
	/** Epoch seconds; null: no marker. */
	readonly since: number | null;
	readonly resubmitAt: number | null;
}

/** Mtimes in epoch seconds; null where there is no episode, or none was resubmitted to. */
export function readEpisodeMarkers(
	files: Files,
	stateDir: string,
): UnresponsiveEpisode {
	return {
		since: mtimeOf(files, unresponsiveSincePath(stateDir)),
		resubmitAt: mtimeOf(files, resubmitAttemptedPath(stateDir)),
	};
}

/** Keeps the time of one that is there. */
export function markUnresponsive(files: Files, stateDir: string): void {
	const path = unresponsiveSincePath(stateDir);
	if (files.stat(path).kind === "absent") files.touch(path, { create: true });
}

/** Before the rescue: one that hangs is not begun again. */
export function markResubmit(files: Files, stateDir: string): WriteResult {
	return files.touch(resubmitAttemptedPath(stateDir), { create: true });
}

/** At any sign of life. How often an idle pane vetoed is counted apart. */
export function clearEpisodeMarkers(files: Files, stateDir: string): void {
	files.remove(unresponsiveSincePath(stateDir));
	files.remove(resubmitAttemptedPath(stateDir));
}

/** How often in a row an idle pane has vetoed a respawn. */
export function readIdleOverrides(files: Files, stateDir: string): number {
	const read = files.read(idleOverrideCountPath(stateDir));
	return read.kind === "ok" ? (digits(read.text.trim()) ?? 0) : 0;
}

/** 0 removes the file. */
export function writeIdleOverrides(
	files: Files,
	stateDir: string,
	count: number,
): void {
	const path = idleOverrideCountPath(stateDir);
	if (count === 0) files.remove(path);
	else files.writeAtomic(path, `${count}\n`);
}
