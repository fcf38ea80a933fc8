/** `last-ack.txt`: when bootstrap last handed over missed diffs (contract 01 §19). Newer means by mtime. */
import { join } from "node:path";
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";

export interface LastAck {
	/** The text, for people. */
	readonly ts: string;
	readonly mtimeMs: number;
}

export function lastAckPath(stateDir: string): string {
	return join(stateDir, "last-ack.txt");
}

/** Null when absent or unreadable: everything counts as missed then. */
export function readLastAck(files: Files, stateDir: string): LastAck | null {
	const path = lastAckPath(stateDir);
	const read = files.read(path);
	const found = files.stat(path);
	if (read.kind !== "ok" || found.kind !== "ok") return null;
	return { ts: read.text.trim(), mtimeMs: found.stat.mtimeMs };
}

/** `atMs`: up to when everything was handed over; the file is dated so, not by when it is written. */
export function writeLastAck(
	doors: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	atMs: number,
): WriteResult {
	const path = lastAckPath(stateDir);
	const ts = doors.clock.iso(Math.floor(atMs / 1000));
	const written = doors.files.writeAtomic(path, `${ts}\n`);
	return written.kind === "ok"
		? doors.files.touch(path, { at: atMs / 1000 })
		: written;
}
