/**
 * `windows/<key>.json`: who started a window, and as what (contract 08 §8.5). A window without this file was made by the
 * operator. Written by the spawner.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { windowKey } from "./window-key.ts";

export function windowProvenancePath(stateDir: string, window: string): string {
	return join(stateDir, "windows", `${windowKey(window)}.json`);
}

/** The session that was started there; null when unknown. */
export function spawnedSessionId(
	files: Files,
	stateDir: string,
	window: string,
): string | null {
	const read = files.read(windowProvenancePath(stateDir, window));
	return read.kind === "ok" ? parseSpawnedSessionId(read.text) : null;
}

export function parseSpawnedSessionId(text: string): string | null {
	try {
		const raw: unknown = JSON.parse(text);
		if (typeof raw !== "object" || raw === null) return null;
		const id: unknown = Reflect.get(raw, "session_id");
		return typeof id === "string" && id !== "" ? id : null;
	} catch {
		return null; // torn or foreign
	}
}
