/**
 * `paste-locks/<key>.lock`: one paster a window, held by flock, so that it ends with its holder
 * (contract 04 §2). Without it two pasters once spliced one emit into the middle of another.
 */
import { join } from "node:path";
import type { Files, LockAttempt, Locks } from "../_sys/doors.ts";
import { paneKey } from "./pane-key.ts";

export function pasteLockPath(stateDir: string, window: string): string {
	return join(stateDir, "paste-locks", `${paneKey(window)}.lock`);
}

/** Waits up to `ms` for the window's lock; the caller releases it. */
export function takePasteLock(
	doors: { readonly files: Files; readonly locks: Locks },
	stateDir: string,
	window: string,
	ms: number,
	signal?: AbortSignal,
): Promise<LockAttempt> {
	doors.files.mkdir(join(stateDir, "paste-locks"));
	return doors.locks.acquireWithin(pasteLockPath(stateDir, window), ms, signal);
}
