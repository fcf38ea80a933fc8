/** `watcher-supervisor-heartbeat`: its mtime says when the orchestrator's monitor last looked (contract 01 §16). */
import { join } from "node:path";
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";
import { mtimeOf } from "./peek.ts";

export function supervisorHeartbeatPath(stateDir: string): string {
	return join(stateDir, "watcher-supervisor-heartbeat");
}

/** Replaces the file; a disk too full for a second copy may still take a touch. */
export function beatSupervisor(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
): WriteResult {
	const path = supervisorHeartbeatPath(stateDir);
	const written = doors.files.writeAtomic(path, `${doors.clock.iso()}\n`);
	return written.kind === "ok"
		? written
		: doors.files.touch(path, { create: true });
}

/** Epoch seconds, or null. */
export function supervisorBeatAt(
	files: Files,
	stateDir: string,
): number | null {
	return mtimeOf(files, supervisorHeartbeatPath(stateDir));
}
