/** `scheduler-staging/<task>.out|.err`: what a task hands to the emit, between its run and the next compose (contract 01 §4, §4.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

/** `override` is the value of `MONITOR_SCHEDULER_STAGE_DIR`. */
export function stageDirOf(
	stateDir: string,
	override: string | null = null,
): string {
	return override ?? join(stateDir, "scheduler-staging");
}

export function stagedOutPath(stageDir: string, task: string): string {
	return join(stageDir, `${task}.out`);
}

function stagedErrPath(stageDir: string, task: string): string {
	return join(stageDir, `${task}.err`);
}

/**
 * Stages `text`, atomically. A file of this process that already holds these bytes is left alone:
 * its mtime is what the nudge looks at, and the same rows must not hurry the emit twice.
 */
export function stageOut(
	files: Files,
	stageDir: string,
	task: string,
	text: string,
	processStartedAt: number,
): WriteResult {
	if (readStaged(files, stageDir, task, processStartedAt) === text)
		return { kind: "ok" };
	const path = stagedOutPath(stageDir, task);
	const wrote = files.writeAtomic(path, text);
	return wrote.kind === "ok" ? dateOurs(files, path, processStartedAt) : wrote;
}

/** A clock that has stepped back behind our start must not make our own rows a predecessor's. */
function dateOurs(
	files: Files,
	path: string,
	processStartedAt: number,
): WriteResult {
	const found = files.stat(path);
	const isOlder =
		found.kind === "ok" && found.stat.mtimeMs < processStartedAt * 1000;
	return isOlder
		? files.touch(path, { at: Math.ceil(processStartedAt) })
		: { kind: "ok" };
}

/** Everything that is open in a large repository, with room to spare. */
const MAX_STAGED_BYTES = 128 * 1024 * 1024;

/** `none`: a predecessor's rows do not count, they may have been delivered long ago. `processStartedAt` in epoch seconds by the disk's clock. */
export function lookAtStaged(
	files: Files,
	stageDir: string,
	task: string,
	processStartedAt: number,
):
	| { readonly kind: "ok"; readonly text: string }
	| { readonly kind: "none" }
	| { readonly kind: "unreadable"; readonly reason: string } {
	const path = stagedOutPath(stageDir, task);
	const found = files.stat(path);
	if (found.kind === "absent") return { kind: "none" };
	if (found.kind === "unreadable") return found;
	if (found.stat.mtimeMs < processStartedAt * 1000) return { kind: "none" };
	const read = files.read(path, MAX_STAGED_BYTES);
	if (read.kind === "absent") return { kind: "none" };
	// Staged rows are never synced: what a power cut leaves of them are zeros.
	return read.kind === "ok" && read.text.includes("\0")
		? { kind: "unreadable", reason: "zeros in it, as a power cut leaves them" }
		: read;
}

/** What this process staged; null: nothing, or nothing that can be read. */
export function readStaged(
	files: Files,
	stageDir: string,
	task: string,
	processStartedAt: number,
): string | null {
	const look = lookAtStaged(files, stageDir, task, processStartedAt);
	return look.kind === "ok" ? look.text : null;
}

/** Delivered rows are taken out, so that a compose forced right afterwards does not read them again. */
export function emptyStaged(
	files: Files,
	stageDir: string,
	task: string,
): WriteResult {
	const path = stagedOutPath(stageDir, task);
	return files.stat(path).kind === "absent"
		? { kind: "ok" }
		: files.writeAtomic(path, "");
}

/** Lines a run logged; replaced at each launch. */
export function writeErr(
	files: Files,
	stageDir: string,
	task: string,
	lines: readonly string[],
): WriteResult {
	const text = lines.map((line) => `${line}\n`).join("");
	return files.writeAtomic(stagedErrPath(stageDir, task), text);
}

/** At startup: creates the folder and removes what a predecessor left half-written (`*.rc`, `*.tmp.*`). */
export function sweepStageDir(files: Files, stageDir: string): WriteResult {
	const made = files.mkdir(stageDir);
	if (made.kind !== "ok") return made;
	const listed = files.list(stageDir);
	if (listed.kind !== "ok") return made;
	for (const name of listed.names) {
		if (name.endsWith(".rc") || name.includes(".tmp."))
			files.remove(join(stageDir, name));
	}
	return made;
}
