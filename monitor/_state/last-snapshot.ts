/** `last-snapshot.txt`: the baseline that local changes are measured against (contract 01 §6). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import {
	readState,
	type StateDoors,
	type StateRead,
	setAside,
} from "./damaged.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export function lastSnapshotPath(stateDir: string): string {
	return join(stateDir, "last-snapshot.txt");
}

/** Null unless it starts as a snapshot does and its last line is whole. */
export function parseSnapshot(text: string): string | null {
	return text.startsWith("# snapshot-format=") && text.endsWith("\n")
		? text
		: null;
}

/** What is too large to be a snapshot, or no file, is damaged: left in place it would mute local changes for good. */
export function readLastSnapshot(
	doors: StateDoors,
	stateDir: string,
): StateRead<string> {
	const path = lastSnapshotPath(stateDir);
	const found = doors.files.stat(path);
	const isFile = found.kind === "ok" && found.stat.kind === "file";
	if (found.kind === "ok" && (!isFile || found.stat.size > MAX_BYTES)) {
		const why = isFile ? `${found.stat.size} bytes` : "not a regular file";
		setAside(doors, stateDir, path, why);
		return { kind: "damaged", why };
	}
	return readState(doors, stateDir, path, parseSnapshot);
}

/** Where it was put, or null: there is none, or it could not be moved. */
export function archiveLastSnapshot(
	files: Files,
	stateDir: string,
	now: number,
): string | null {
	const path = lastSnapshotPath(stateDir);
	const archived = `${path}.archived.${now}`;
	if (files.stat(path).kind !== "ok") return null;
	return files.rename(path, archived).kind === "ok" ? archived : null;
}

/** Flushed: an older baseline would tell the same changes twice. */
export function writeLastSnapshot(
	files: Files,
	stateDir: string,
	snapshot: string,
): WriteResult {
	return files.writeAtomic(lastSnapshotPath(stateDir), snapshot, {
		fsync: true,
	});
}
