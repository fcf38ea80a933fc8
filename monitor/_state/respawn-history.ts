/** `respawn-history.txt`, lines `<epoch> <tag>`, and its tripped stamp (contract 01 §15, 04 §12). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

export function respawnHistoryPath(stateDir: string): string {
	return join(stateDir, "respawn-history.txt");
}

/** ISO time of the ok → tripped edge; its presence keeps the operator from being rung twice. */
export function respawnGuardTrippedPath(stateDir: string): string {
	return join(stateDir, "respawn-guard-tripped");
}

/** Epochs of all lines that start with a number; a line that does not parse costs only itself. */
function parseRespawnHistory(text: string): readonly number[] {
	return text
		.split("\n")
		.map((line) => digits(line.split(" ")[0]))
		.filter((epoch) => epoch !== null);
}

/** Null = could not look. Absent is an empty history. */
export function readRespawnHistory(
	files: Files,
	stateDir: string,
): readonly number[] | null {
	const read = files.read(respawnHistoryPath(stateDir));
	if (read.kind === "unreadable") return null;
	return read.kind === "absent" ? [] : parseRespawnHistory(read.text);
}

/** `epoch` in seconds; blanks in `tag` become dashes. */
export function appendRespawn(
	files: Files,
	stateDir: string,
	epoch: number,
	tag: string,
): WriteResult {
	return files.append(
		respawnHistoryPath(stateDir),
		`${epoch} ${tag.replace(/\s+/g, "-")}\n`,
	);
}

/** True on the ok → tripped edge alone: then somebody is told. */
export function tripRespawnGuard(
	files: Files,
	stateDir: string,
	iso: string,
): boolean {
	const path = respawnGuardTrippedPath(stateDir);
	if (files.stat(path).kind !== "absent") return false;
	return files.writeAtomic(path, `${iso}\n`).kind === "ok";
}

/** It stays so until a report was delivered (`resetRespawnHistory`). */
export function isRespawnGuardTripped(files: Files, stateDir: string): boolean {
	return files.stat(respawnGuardTrippedPath(stateDir)).kind === "ok";
}

/** A delivered paste proves the orchestrator: the count starts anew. */
export function resetRespawnHistory(files: Files, stateDir: string): void {
	files.remove(respawnGuardTrippedPath(stateDir));
	const path = respawnHistoryPath(stateDir);
	const found = files.stat(path);
	if (found.kind === "ok" && found.stat.size > 0) files.truncate(path);
}
