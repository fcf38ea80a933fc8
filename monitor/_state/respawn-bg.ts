/**
 * `respawn-bg/{pid,start,stage,rc}`: the respawn that runs beside the watcher's loop, as its successor finds it (contract
 * 04 §13.2). `rc` is written last.
 */
import { join } from "node:path";
import type { Files, TmuxServer, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

/** `spawned`: the window stands and has not been briefed. Its id counts on its server alone. */
export type RespawnStage =
	| { readonly kind: "deciding" }
	| {
			readonly kind: "spawned";
			readonly windowId: string;
			readonly server: TmuxServer;
	  }
	| { readonly kind: "briefed" };

export interface RespawnRecord {
	/** The watcher that respawns, and field 22 of its `/proc/<pid>/stat`; null when the file does not say. */
	readonly pid: number | null;
	readonly startTicks: string | null;
	readonly stage: RespawnStage | null;
	/** Null: it has not ended. A text that is no number counts as a failure. */
	readonly rc: number | null;
}

function respawnBgDir(stateDir: string): string {
	return join(stateDir, "respawn-bg");
}

/** Null: none is recorded. */
export function readRespawn(
	files: Files,
	stateDir: string,
): RespawnRecord | null {
	const line = (name: string) => lineOf(files, stateDir, name);
	const [pid, startTicks] = [line("pid"), line("start")];
	const [stage, rc] = [line("stage"), line("rc")];
	if ([pid, startTicks, stage, rc].every((text) => text === null)) return null;
	return {
		pid: digits(pid ?? ""),
		startTicks,
		stage: parseRespawnStage(stage ?? ""),
		rc: rc === null ? null : (digits(rc) ?? 1),
	};
}

/** Replaces what an earlier one left. */
export function beginRespawn(
	files: Files,
	stateDir: string,
	by: { readonly pid: number; readonly startTicks: string },
): WriteResult {
	clearRespawn(files, stateDir);
	const made = files.mkdir(respawnBgDir(stateDir));
	if (made.kind !== "ok") return made;
	const texts = {
		stage: renderRespawnStage({ kind: "deciding" }),
		start: by.startTicks,
		pid: String(by.pid),
	};
	for (const [name, text] of Object.entries(texts)) {
		const wrote = write(files, stateDir, name, text);
		if (wrote.kind !== "ok") return wrote;
	}
	return { kind: "ok" };
}

/** Before the step, so that a successor knows what may be half done. */
export function writeRespawnStage(
	files: Files,
	stateDir: string,
	stage: RespawnStage,
): WriteResult {
	return write(files, stateDir, "stage", renderRespawnStage(stage));
}

/** Last of all: with it the respawn is over. */
export function writeRespawnRc(
	files: Files,
	stateDir: string,
	rc: number,
): WriteResult {
	return write(files, stateDir, "rc", String(rc));
}

/** The whole folder: its outcome was taken in, or another respawn begins. */
export function clearRespawn(files: Files, stateDir: string): void {
	files.removeTree(respawnBgDir(stateDir));
}

/** `deciding`, `spawned <@id> <server pid> <server start>`, `briefed`; null for anything else. */
export function parseRespawnStage(line: string): RespawnStage | null {
	if (line === "deciding" || line === "briefed") return { kind: line };
	const [, windowId, pid, start] =
		/^spawned (@\d+) (\d+) (\d+)$/.exec(line) ?? [];
	if (windowId === undefined) return null;
	const server = { pid: Number(pid), startTime: Number(start) };
	return { kind: "spawned", windowId, server };
}

/** The words of the stage; a spawned window with the server that knows its id. */
export function renderRespawnStage(stage: RespawnStage): string {
	if (stage.kind !== "spawned") return stage.kind;
	const { windowId, server } = stage;
	return `spawned ${windowId} ${server.pid} ${server.startTime}`;
}

function write(
	files: Files,
	stateDir: string,
	name: string,
	text: string,
): WriteResult {
	return files.writeAtomic(join(respawnBgDir(stateDir), name), `${text}\n`);
}

function lineOf(files: Files, stateDir: string, name: string): string | null {
	const read = files.read(join(respawnBgDir(stateDir), name));
	return read.kind === "ok" ? read.text.trim() : null;
}
