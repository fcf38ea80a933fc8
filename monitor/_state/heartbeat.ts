/**
 * `heartbeat/<window>.json`: what the hooks of a worker's session last said (contract 03 §12.1,
 * 08 §3). Written by a hook; this module reads.
 */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

export interface Heartbeat {
	/** `busy`, `user_prompt`, `permission_prompt`, `idle_prompt`, `notify`; null in a file that only holds waits. */
	readonly state: string | null;
	/** Epoch seconds. */
	readonly lastActivity: number | null;
	readonly event: string | null;
	readonly sessionId: string | null;
	/** Epoch seconds; there only while the end of the turn is the last thing that happened. */
	readonly lastTurnEnd: number | null;
	/** Epoch seconds. */
	readonly scheduledWakeupAt: number | null;
	readonly externalWaits: readonly Wait[];
}
/** Outside work that the worker said it waits for. */
export interface Wait {
	readonly kind: string;
	readonly id: string;
}

export function heartbeatPath(stateDir: string, window: string): string {
	return join(stateDir, "heartbeat", `${window}.json`);
}

/** Fields of a wrong type count as absent; null for text that is no JSON object. */
export function parseHeartbeat(text: string): Heartbeat | null {
	const raw = parseObject(text);
	if (raw === null) return null;
	return {
		state: word(raw.state),
		lastActivity: epoch(raw.last_activity),
		event: word(raw.event),
		sessionId: word(raw.session_id),
		lastTurnEnd: epoch(raw.last_turn_end),
		scheduledWakeupAt: epoch(raw.scheduled_wakeup_at),
		externalWaits: Array.isArray(raw.external_waits)
			? raw.external_waits.flatMap(wait)
			: [],
	};
}

/** Null when there is none, or none that can be read; a name that is no file name has none. */
export function readHeartbeat(
	files: Files,
	stateDir: string,
	window: string,
): Heartbeat | null {
	if (window === "" || window.includes("/")) return null;
	return readHeartbeatAt(files, heartbeatPath(stateDir, window));
}

/** The heartbeat in this file, or null. */
export function readHeartbeatAt(files: Files, path: string): Heartbeat | null {
	const read = files.read(path);
	return read.kind === "ok" ? parseHeartbeat(read.text) : null;
}

type Raw = Readonly<Record<string, unknown>>;

function parseObject(text: string): Raw | null {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : null;
	} catch {
		return null; // torn or foreign
	}
}

function isObject(value: unknown): value is Raw {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wait(value: unknown): readonly Wait[] {
	if (!isObject(value)) return [];
	const kind = word(value.kind);
	const id = word(value.id);
	return kind === null || id === null ? [] : [{ kind, id }];
}

function word(value: unknown): string | null {
	return typeof value === "string" && value !== "" ? value : null;
}

function epoch(value: unknown): number | null {
	return typeof value === "number" && Number.isFinite(value) ? value : null;
}
