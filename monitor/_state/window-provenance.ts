/**
 * `windows/<key>.json`: who started a window, and as what (contract 08 §8.5). A window without this file was made by the
 * operator and must not be managed.
 */
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { numberAt, parseObject, textAt } from "./json-object.ts";
import { windowKey } from "./window-key.ts";

export type WorkerKind = "task" | "interactive";
export type SkepticMode = "require" | "auto" | "deny";

/** Whether somebody else looks at the work, and whose work this window looks at. */
export interface SkepticRecord {
	readonly mode: SkepticMode;
	readonly depth: number;
	readonly role: boolean;
	/** Empty unless this window is a reviewer. */
	readonly target: string;
	readonly orig: string;
}
export interface Provenance {
	readonly window: string;
	/** Empty when the session has no id of our making (loop mode). */
	readonly sessionId: string;
	readonly kind: WorkerKind;
	readonly workdir: string;
	readonly promptFile: string;
	readonly topic: string;
	/** ISO, local time. */
	readonly spawnedAt: string;
	/** Path of the heartbeat. */
	readonly lastActivityRef: string;
	readonly skeptic: SkepticRecord;
}

export function windowProvenancePath(stateDir: string, window: string): string {
	return join(stateDir, "windows", `${windowKey(window)}.json`);
}

/** One JSON object and a newline. */
export function renderProvenance(p: Provenance): string {
	const record = {
		window: p.window,
		session_id: p.sessionId,
		kind: p.kind,
		spawned_by: "orchestrator",
		workdir: p.workdir,
		prompt_file: p.promptFile,
		topic: p.topic,
		spawned_at: p.spawnedAt,
		last_activity_ref: p.lastActivityRef,
		skeptic_mode: p.skeptic.mode,
		skeptic_depth: p.skeptic.depth,
		skeptic_role: p.skeptic.role,
		skeptic_target: p.skeptic.target,
		skeptic_orig: p.skeptic.orig,
	};
	return `${JSON.stringify(record)}\n`;
}

/** Makes the folder; replaces that of an older window of this name. */
export function writeProvenance(
	files: Files,
	stateDir: string,
	provenance: Provenance,
): WriteResult {
	const path = windowProvenancePath(stateDir, provenance.window);
	files.mkdir(dirname(path));
	return files.writeAtomic(path, renderProvenance(provenance));
}

/** Null when there is none, or none that can be read. */
export function readProvenance(
	files: Files,
	stateDir: string,
	window: string,
): Provenance | null {
	const read = files.read(windowProvenancePath(stateDir, window));
	return read.kind === "ok" ? parseProvenance(read.text) : null;
}

/** A field that is missing or of a wrong type reads as the most ordinary worker's; null for text that is no JSON object. */
export function parseProvenance(text: string): Provenance | null {
	const raw = parseObject(text);
	if (raw === null) return null;
	const word = (key: string) => textAt(raw, key) ?? "";
	const mode = word("skeptic_mode");
	return {
		window: word("window"),
		sessionId: word("session_id"),
		kind: word("kind") === "interactive" ? "interactive" : "task",
		workdir: word("workdir"),
		promptFile: word("prompt_file"),
		topic: word("topic"),
		spawnedAt: word("spawned_at"),
		lastActivityRef: word("last_activity_ref"),
		skeptic: {
			mode: mode === "require" || mode === "deny" ? mode : "auto",
			depth: numberAt(raw, "skeptic_depth") ?? 0,
			role: raw.skeptic_role === true,
			target: word("skeptic_target"),
			orig: word("skeptic_orig"),
		},
	};
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

/** The session it was started with, from a record that need not be whole otherwise; null when none is named. */
export function parseSpawnedSessionId(text: string): string | null {
	return textAt(parseObject(text), "session_id");
}
