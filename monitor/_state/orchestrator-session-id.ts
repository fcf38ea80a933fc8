/** `orchestrator-session-id`, the pin: the session id of the orchestrator, one UUID and a newline (contract 04 §11). */
import { join } from "node:path";
import type { EverydayFiles, WriteResult } from "../_sys/doors.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Canonical UUID: 8-4-4-4-12 hex. */
export function isSessionId(text: string): boolean {
	return UUID.test(text);
}

export function orchestratorSessionIdPath(stateDir: string): string {
	return join(stateDir, "orchestrator-session-id");
}

/** The first line without its blanks, when it is a UUID; else null. */
export function parsePin(text: string): string | null {
	const line = (text.split("\n", 1)[0] ?? "").replace(/\s+/g, "");
	return isSessionId(line) ? line : null;
}

/** Null when there is no pin, or none that can be read as one. */
export function readPin(files: EverydayFiles, stateDir: string): string | null {
	const read = files.read(orchestratorSessionIdPath(stateDir));
	return read.kind === "ok" ? parsePin(read.text) : null;
}

/** Writes `sessionId` if it is a UUID; an empty or malformed id must not erase a good pin. */
export function writePin(
	files: EverydayFiles,
	stateDir: string,
	sessionId: string,
): WriteResult {
	if (!isSessionId(sessionId))
		return { kind: "failed", code: "EINVAL", reason: "not a session id" };
	return files.writeAtomic(
		orchestratorSessionIdPath(stateDir),
		`${sessionId}\n`,
		{ fsync: true },
	);
}

/** A delivery proves the pin: its mtime moves. A missing or empty one is never created. */
export function touchPin(files: EverydayFiles, stateDir: string): void {
	const path = orchestratorSessionIdPath(stateDir);
	const found = files.stat(path);
	if (found.kind === "ok" && found.stat.size > 0) files.touch(path);
}

/** The pin that a fresh start put aside last (`….archived.<epoch>`), however long ago; null: there is none. */
export function readArchivedPin(
	files: Pick<EverydayFiles, "list" | "read">,
	stateDir: string,
): string | null {
	const listed = files.list(stateDir);
	const names = listed.kind === "ok" ? listed.names : [];
	const newest = names
		.flatMap((name) => {
			const at = /^orchestrator-session-id\.archived\.(\d{1,15})$/.exec(name);
			return at === null ? [] : [{ name, at: Number(at[1]) }];
		})
		.sort((a, b) => a.at - b.at)
		.at(-1);
	if (newest === undefined) return null;
	const read = files.read(join(stateDir, newest.name));
	return read.kind === "ok" ? parsePin(read.text) : null;
}
