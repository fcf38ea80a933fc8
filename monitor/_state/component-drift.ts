/**
 * `version/drift-<component>`, `key=value`: something runs older code than the disk holds, and somebody has to see to it
 * (contract 06 §9.3, §10). Written once for each new state of the code; `-surfaced` holds the one that was delivered.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { versionDir } from "./restart-guard.ts";

export interface ComponentDrift {
	/** `watcher`, `cockpit`, `service-<name>`, `clone`. */
	readonly component: string;
	readonly old: string;
	/** What it is asked for: a hash, or a word of its own (`guard-tripped-…`, `undetermined-…`). */
	readonly new: string;
	readonly note: string;
	/** Of the cockpit: its window by name and id, and the tmux server that id belongs to (`<pid>:<start time>`); may be empty. */
	readonly window: string;
	readonly windowId: string;
	readonly tmuxServer: string;
	/** Epoch seconds. */
	readonly detected: number;
}

const PREFIX = "drift-";

/** `component` is `watcher`, or the name of a service. */
export function driftPath(stateDir: string, component: string): string {
	return join(versionDir(stateDir), `${PREFIX}${component}`);
}

/** Null: none, or none that could be read. */
export function readDrift(
	files: Files,
	stateDir: string,
	component: string,
): ComponentDrift | null {
	const read = files.read(driftPath(stateDir, component));
	return read.kind === "ok" ? parseDrift(read.text) : null;
}

/** All of them, in the order of their file names. */
export function listDrifts(
	files: Files,
	stateDir: string,
): readonly ComponentDrift[] {
	const listed = files.list(versionDir(stateDir));
	const names = listed.kind === "ok" ? listed.names : [];
	return names.flatMap((name) => {
		if (!name.startsWith(PREFIX)) return [];
		const component = name.slice(PREFIX.length);
		const found = readDrift(files, stateDir, component);
		// The file beside it, which holds what was delivered, is none.
		return found?.component === component ? [found] : [];
	});
}

/** Leaves a record of the same `new` alone (`known`). `failed`: nobody will be told of it. */
export function askForRestart(
	files: Files,
	stateDir: string,
	drift: ComponentDrift,
): "new" | "known" | "failed" {
	const before = readDrift(files, stateDir, drift.component);
	if (before?.new === drift.new) return "known";
	const wrote = write(files, driftPath(stateDir, drift.component), [
		["component", drift.component],
		["old", drift.old],
		["new", drift.new],
		["note", drift.note],
		["window", drift.window],
		["window_id", drift.windowId],
		["tmux_server", drift.tmuxServer],
		["detected", drift.detected],
	]);
	return wrote.kind === "ok" ? "new" : "failed";
}

/** It has been seen to. */
export function removeDrift(
	files: Files,
	stateDir: string,
	component: string,
): void {
	files.remove(driftPath(stateDir, component));
	files.remove(surfacedPath(stateDir, component));
}

/** `new` of what was last delivered; null = nothing. */
export function readDriftSurfaced(
	files: Files,
	stateDir: string,
	component: string,
): string | null {
	const read = files.read(surfacedPath(stateDir, component));
	return read.kind === "ok" ? read.text.trim() || null : null;
}

/** `told` as it was delivered. Best effort: a lost one is told again. */
export function writeDriftSurfaced(
	files: Files,
	stateDir: string,
	component: string,
	told: string,
): void {
	files.writeAtomic(surfacedPath(stateDir, component), `${told}\n`);
}

function parseDrift(text: string): ComponentDrift | null {
	const kv = parseKv(text);
	const of = (key: string) => kv.get(key) ?? "";
	if (of("component") === "" || of("new") === "") return null;
	return {
		component: of("component"),
		old: of("old"),
		new: of("new"),
		note: of("note"),
		window: of("window"),
		windowId: of("window_id"),
		tmuxServer: of("tmux_server"),
		detected: digits(kv.get("detected")) ?? 0,
	};
}

function surfacedPath(stateDir: string, component: string): string {
	return join(versionDir(stateDir), `${PREFIX}${component}-surfaced`);
}

function write(
	files: Files,
	path: string,
	pairs: Parameters<typeof renderKv>[0],
): WriteResult {
	const made = files.mkdir(join(path, ".."));
	return made.kind === "failed"
		? made
		: files.writeAtomic(path, renderKv(pairs));
}
