/**
 * `version/<component>.running` and `.pending`, `key=value`: what a component runs, and the change of its source that
 * waits to settle (contract 06 §9.3). The watcher writes its own at start, a service's is written at each launch.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { mtimeOf } from "./peek.ts";
import { versionDir } from "./restart-guard.ts";

export interface PendingChange {
	readonly hash: string;
	/** Epoch seconds. */
	readonly firstSeen: number;
}
export interface VersionRecord {
	/** Null: nothing was ever recorded, or nothing that could be read. */
	readonly running: string | null;
	readonly pending: PendingChange | null;
}

/** Component of a registered service. */
export function serviceComponent(service: string): string {
	return `service-${service}`;
}

/** Null for what is not known; a change without the time it was first seen is none. */
export function readVersionRecord(
	files: Files,
	stateDir: string,
	component: string,
): VersionRecord {
	const kvOf = (path: string) => {
		const read = files.read(path);
		return parseKv(read.kind === "ok" ? read.text : "");
	};
	const pending = kvOf(pendingPath(stateDir, component));
	const hash = pending.get("hash");
	const firstSeen = digits(pending.get("first_seen"));
	return {
		running: kvOf(runningPath(stateDir, component)).get("hash") || null,
		pending: hash && firstSeen !== null ? { hash, firstSeen } : null,
	};
}

/** What runs is what stands on the disk: no change is pending any more. `now` in epoch seconds. */
export function recordRunning(
	files: Files,
	stateDir: string,
	component: string,
	{ hash, now }: { readonly hash: string; readonly now: number },
): WriteResult {
	const text = renderKv([
		["hash", hash],
		["recorded", now],
	]);
	const written = put(files, runningPath(stateDir, component), text);
	if (written.kind === "ok") clearPending(files, stateDir, component);
	return written;
}

/** `firstSeen` in epoch seconds: from then on it must stay the same to count as settled. */
export function recordPending(
	files: Files,
	stateDir: string,
	component: string,
	{ hash, firstSeen }: PendingChange,
): WriteResult {
	const text = renderKv([
		["hash", hash],
		["first_seen", firstSeen],
	]);
	return put(files, pendingPath(stateDir, component), text);
}

/** The source is again what runs, or what runs was recorded anew. */
export function clearPending(
	files: Files,
	stateDir: string,
	component: string,
): void {
	files.remove(pendingPath(stateDir, component));
}

/** When it was last restarted, or its owner asked: epoch seconds, null = never. The watcher's stands in `restart-guard.ts`. */
export function lastRestartOf(
	files: Files,
	stateDir: string,
	component: string,
): number | null {
	return mtimeOf(files, restartPath(stateDir, component));
}

/** False: could not be recorded. */
export function stampRestart(
	files: Files,
	stateDir: string,
	component: string,
): boolean {
	files.mkdir(versionDir(stateDir));
	const path = restartPath(stateDir, component);
	return files.touch(path, { create: true }).kind === "ok";
}

function runningPath(stateDir: string, component: string): string {
	return join(versionDir(stateDir), `${component}.running`);
}

function pendingPath(stateDir: string, component: string): string {
	return join(versionDir(stateDir), `${component}.pending`);
}

function restartPath(stateDir: string, component: string): string {
	return join(versionDir(stateDir), `${component}.restart.last`);
}

function put(files: Files, path: string, text: string): WriteResult {
	const made = files.mkdir(join(path, ".."));
	return made.kind === "failed" ? made : files.writeAtomic(path, text);
}
