/**
 * `heartbeat/<window>.json`: what the hooks of a worker's session last said (contract 03 §12.1,
 * 08 §3). The hooks and the wait tools change it by `heartbeat-update.ts`.
 */
import { join } from "node:path";
import type { EverydayFiles } from "../_sys/doors.ts";
import {
	isObject,
	type JsonObject,
	numberAt,
	parseObject,
	textAt,
} from "./json-object.ts";

export interface Heartbeat {
	/** `busy`, `user_prompt`, `permission_prompt`, `idle_prompt`, `notify`; null in a file that only holds waits. */
	readonly state: string | null;
	/** Epoch seconds. */
	readonly lastActivity: number | null;
	readonly event: string | null;
	readonly sessionId: string | null;
	/** The subagent in whose turn the event came; null = the main chain. */
	readonly agentId: string | null;
	/** Epoch seconds; there only while the end of the turn is the last thing that happened. */
	readonly lastTurnEnd: number | null;
	/** Epoch seconds. */
	readonly scheduledWakeupAt: number | null;
	readonly externalWaits: readonly Wait[];
	/** Waits that the worker took back; a detector must not bring them again. */
	readonly dismissedWaits: readonly Wait[];
}
/** Outside work that the worker said it waits for. */
export interface Wait {
	readonly kind: string;
	readonly id: string;
	readonly desc?: string;
}

/** The window's name as it is; whoever asks has seen to it that it is a file name. */
export function heartbeatPath(stateDir: string, window: string): string {
	return join(stateDir, "heartbeat", `${window}.json`);
}

/** Fields of a wrong type count as absent; null for text that is no JSON object. */
export function parseHeartbeat(text: string): Heartbeat | null {
	const raw = parseObject(text);
	return raw === null ? null : heartbeatOf(raw);
}

/** Never throws; a field of a wrong type is null, a wait of one left out. Times in epoch seconds. */
export function heartbeatOf(raw: JsonObject): Heartbeat {
	return {
		state: textAt(raw, "state"),
		lastActivity: numberAt(raw, "last_activity"),
		event: textAt(raw, "event"),
		sessionId: textAt(raw, "session_id"),
		agentId: textAt(raw, "agent_id"),
		lastTurnEnd: numberAt(raw, "last_turn_end"),
		scheduledWakeupAt: numberAt(raw, "scheduled_wakeup_at"),
		externalWaits: waitsOf(raw.external_waits),
		dismissedWaits: waitsOf(raw.dismissed_waits),
	};
}

/** Entries that name no kind or no id are left out. */
export function waitsOf(list: unknown): readonly Wait[] {
	return Array.isArray(list) ? list.flatMap(wait) : [];
}

/** Null when there is none, or none that can be read; a name that is no file name has none. */
export function readHeartbeat(
	files: EverydayFiles,
	stateDir: string,
	window: string,
): Heartbeat | null {
	if (window === "" || window.includes("/")) return null;
	return readHeartbeatAt(files, heartbeatPath(stateDir, window));
}

/** The heartbeat in this file, or null. */
export function readHeartbeatAt(
	files: EverydayFiles,
	path: string,
): Heartbeat | null {
	const read = files.read(path);
	return read.kind === "ok" ? parseHeartbeat(read.text) : null;
}

function wait(value: unknown): readonly Wait[] {
	if (!isObject(value)) return [];
	const kind = textAt(value, "kind");
	const id = textAt(value, "id");
	if (kind === null || id === null) return [];
	const desc = textAt(value, "desc");
	return [desc === null ? { kind, id } : { kind, id, desc }];
}
