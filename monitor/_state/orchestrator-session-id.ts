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
