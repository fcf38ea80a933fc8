/** `last-snapshot.txt`: the baseline that local changes are measured against (contract 01 §6). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors, type StateRead } from "./damaged.ts";

export function lastSnapshotPath(stateDir: string): string {
	return join(stateDir, "last-snapshot.txt");
}

/** Null unless it starts as a snapshot does and its last line is whole. */
export function parseSnapshot(text: string): string | null {
	return text.startsWith("# snapshot-format=") && text.endsWith("\n")
		? text
		: null;
}

export function readLastSnapshot(
	doors: StateDoors,
	stateDir: string,
): StateRead<string> {
	return readState(doors, stateDir, lastSnapshotPath(stateDir), parseSnapshot);
}

export function writeLastSnapshot(
	files: Files,
	stateDir: string,
	snapshot: string,
): WriteResult {
	return files.writeAtomic(lastSnapshotPath(stateDir), snapshot, {
		fsync: true,
	});
}
