/** The small files beside a service's incident: what was told, who restarted it, what is being counted (contract 06 §8.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits, parseKv, renderKv } from "./kv.ts";
import { serviceHealthDir } from "./service-incident.ts";

/** `<service>.restart`: whoever restarts a service says so before, so that its recovery is credited to the right hand. */
export interface RestartMarker {
	/** `operator`, `watcher`, `version-restart`. */
	readonly actor: string;
	/** Epoch seconds. */
	readonly at: number;
}

/** `<service>.unknown`: checks in a row that did not finish. */
export interface UnknownRun {
	readonly count: number;
	/** Epoch seconds. */
	readonly since: number;
}

export function restartMarkerPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}.restart`);
}

/** `at` in epoch seconds; `actor` is who restarted it. Makes the folder. */
export function writeRestartMarker(
	files: Files,
	stateDir: string,
	service: string,
	{ actor, at, iso }: RestartMarker & { readonly iso: string },
): WriteResult {
	const made = files.mkdir(serviceHealthDir(stateDir));
	if (made.kind === "failed") return made;
	return files.writeAtomic(
		restartMarkerPath(stateDir, service),
		renderKv([
			["actor", actor],
			["at", at],
			["iso", iso],
		]),
	);
}

/** Null: nobody left one that could be read. */
export function readRestartMarker(
	files: Files,
	stateDir: string,
	service: string,
): RestartMarker | null {
	const text = textOf(files, restartMarkerPath(stateDir, service));
	const kv = parseKv(text ?? "");
	const actor = kv.get("actor");
	const at = digits(kv.get("at"));
	return !actor || at === null || at === 0 ? null : { actor, at };
}

/** The watch over services has taken it in. */
export function removeRestartMarker(
	files: Files,
	stateDir: string,
	service: string,
): void {
	files.remove(restartMarkerPath(stateDir, service));
}

/** `<service>.inconsistent`: polls in a row in which a healthy service had no supervisor; 0 = none. */
export function readInconsistentPolls(
	files: Files,
	stateDir: string,
	service: string,
): number {
	const text = textOf(files, inconsistentPath(stateDir, service));
	return digits(text?.trim()) ?? 0;
}

/** 0 removes it. */
export function writeInconsistentPolls(
	files: Files,
	stateDir: string,
	service: string,
	polls: number,
): void {
	put(
		files,
		inconsistentPath(stateDir, service),
		polls === 0 ? null : `${polls}\n`,
	);
}

/** Checks in a row that said nothing; null when there are none. `since` in epoch seconds. */
export function readUnknownRun(
	files: Files,
	stateDir: string,
	service: string,
): UnknownRun | null {
	const kv = parseKv(textOf(files, unknownPath(stateDir, service)) ?? "");
	const count = digits(kv.get("count"));
	const since = digits(kv.get("since"));
	return count === null || since === null ? null : { count, since };
}

/** Null removes it. */
export function writeUnknownRun(
	files: Files,
	stateDir: string,
	service: string,
	run: UnknownRun | null,
	iso: (epochSeconds: number) => string,
): void {
	const text =
		run === null
			? null
			: renderKv([
					["count", run.count],
					["since", run.since],
					["since_iso", iso(run.since)],
				]);
	put(files, unknownPath(stateDir, service), text);
}

/** `<service>-surfaced`: re-nag key of what was last delivered; null = nothing. */
export function readServiceSurfaced(
	files: Files,
	stateDir: string,
	service: string,
): string | null {
	const text = textOf(files, surfacedPath(stateDir, service));
	return text?.split("\n", 1)[0] || null;
}

/** Null removes it. */
export function writeServiceSurfaced(
	files: Files,
	stateDir: string,
	service: string,
	key: string | null,
): void {
	const path = surfacedPath(stateDir, service);
	put(files, path, key === null ? null : `${key}\n`);
}

function surfacedPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}-surfaced`);
}

function inconsistentPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}.inconsistent`);
}

function unknownPath(stateDir: string, service: string): string {
	return join(serviceHealthDir(stateDir), `${service}.unknown`);
}

function textOf(files: Files, path: string): string | null {
	const read = files.read(path);
	return read.kind === "ok" ? read.text : null;
}

/** No write where nothing changes: a healthy fleet costs no disk. */
function put(files: Files, path: string, text: string | null): void {
	if (text === textOf(files, path)) return;
	if (text === null) {
		files.remove(path);
		return;
	}
	files.mkdir(join(path, ".."));
	files.writeAtomic(path, text);
}
