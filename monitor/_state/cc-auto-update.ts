/** `cc-auto-update/`: the nightly evaluation of a newer Claude Code: when it last fired, what its evaluator was told (contract 06 §13.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export function ccAutoUpdateDir(stateDir: string): string {
	return join(stateDir, "cc-auto-update");
}

/** `YYYY-MM-DD`, local; null when it never fired, or the file says anything else. */
export function readLastFireDate(
	files: Files,
	stateDir: string,
): string | null {
	const read = files.read(lastFireDatePath(stateDir), 4096);
	const day = read.kind === "ok" ? read.text.trim() : "";
	return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null;
}

/** `day` is the local `YYYY-MM-DD`. */
export function writeLastFireDate(
	files: Files,
	stateDir: string,
	day: string,
): WriteResult {
	files.mkdir(ccAutoUpdateDir(stateDir));
	return files.writeAtomic(lastFireDatePath(stateDir), `${day}\n`);
}

/** `day` is the local `YYYY-MM-DD`: one evaluation a day. */
export function evalPromptPath(stateDir: string, day: string): string {
	return join(ccAutoUpdateDir(stateDir), `eval-prompt-${day}.md`);
}

/** Proof of a candidate: what was tried with it, and `GATE GREEN` at its end when all of it held. */
export function evidencePath(stateDir: string, candidate: string): string {
	return join(ccAutoUpdateDir(stateDir), `evidence-${candidate}.md`);
}

/** Where candidates are installed to be tried, away from the one that runs. */
export function candidateDir(stateDir: string, candidate: string): string {
	return join(ccAutoUpdateDir(stateDir), "beside", candidate);
}

/** flock target of an apply. */
export function applyLockPath(stateDir: string): string {
	return join(ccAutoUpdateDir(stateDir), "apply.lock");
}

function lastFireDatePath(stateDir: string): string {
	return join(ccAutoUpdateDir(stateDir), "last-fire-date");
}
