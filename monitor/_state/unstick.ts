/** `unstick/`: what the unstick pass keeps of the panes it looked at (contract 04 §8). Here: the small files of one window's dialog. */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { digits } from "./kv.ts";
import { paneKey } from "./pane-key.ts";
import { mtimeOf } from "./peek.ts";

/** The kinds of dialog that are told apart in the files' names. */
export type UnstickDialog =
	| "permission"
	| "ratelimit"
	| "askuq"
	| "worker-askuq"
	| "startup";

/** Which dialog was seen last, and how often it was answered. */
export interface UnstickEpisode {
	/** Null: none. */
	readonly fingerprint: string | null;
	readonly tries: number;
}

/** Files of one window's dialog of one kind. */
export interface UnstickPlace {
	readonly stateDir: string;
	readonly window: string;
	readonly dialog: UnstickDialog;
}

export function unstickDir(stateDir: string): string {
	return join(stateDir, "unstick");
}

/** `ending`: `fp`, `tries`, `<fp>.audit`, … */
export function unstickFile(place: UnstickPlace, ending: string): string {
	const { stateDir, window, dialog } = place;
	return join(unstickDir(stateDir), `${paneKey(window)}.${dialog}.${ending}`);
}

/** Nothing known reads as no fingerprint and 0 tries. */
export function readEpisode(files: Files, place: UnstickPlace): UnstickEpisode {
	const fp = files.read(unstickFile(place, "fp"));
	const tries = files.read(unstickFile(place, "tries"));
	return {
		fingerprint: fp.kind === "ok" ? fp.text.trim() || null : null,
		tries: tries.kind === "ok" ? (digits(tries.text.trim()) ?? 0) : 0,
	};
}

/** False: it could not be kept, and a key that is not counted must not be pressed. */
export function writeEpisode(
	files: Files,
	place: UnstickPlace,
	{ fingerprint, tries }: UnstickEpisode,
): boolean {
	files.mkdir(unstickDir(place.stateDir));
	return [
		files.writeAtomic(unstickFile(place, "tries"), `${tries}\n`),
		files.writeAtomic(unstickFile(place, "fp"), `${fingerprint ?? ""}\n`),
	].every((written) => written.kind === "ok");
}

/** One line of text beside an episode; null when there is none. */
export function readNote(
	files: Files,
	place: UnstickPlace,
	name: string,
): string | null {
	const read = files.read(unstickFile(place, name));
	return read.kind === "ok" ? read.text.trim() : null;
}

/** Makes the folder. Best effort. */
export function writeNote(
	files: Files,
	place: UnstickPlace,
	name: string,
	text: string,
): void {
	files.mkdir(unstickDir(place.stateDir));
	files.writeAtomic(unstickFile(place, name), `${text}\n`);
}

/** That dialog is gone. Notes and marks beside it stay. */
export function clearEpisode(files: Files, place: UnstickPlace): void {
	for (const ending of ["fp", "tries"])
		files.remove(unstickFile(place, ending));
}

/** What the pane showed, once for each fingerprint. */
export function keepAudit(
	files: Files,
	place: UnstickPlace,
	fingerprint: string,
	capture: string,
): string {
	const path = unstickFile(place, `${fingerprint}.audit`);
	if (files.stat(path).kind === "absent") {
		files.mkdir(unstickDir(place.stateDir));
		files.writeAtomic(path, capture, { mode: 0o600 });
	}
	return path;
}

/** Sightings of one dialog: the text is the epoch at which the episode began, the mtime the last sighting. */
export interface Sighting {
	/** Epoch seconds; null: the text is no number. */
	readonly since: number | null;
	readonly lastAt: number;
}

/** Null unless the file is there and its mtime can be had. `lastAt` is the mtime, `since` the text; epoch seconds. */
export function readSighting(files: Files, path: string): Sighting | null {
	const read = files.read(path);
	const lastAt = mtimeOf(files, path);
	if (read.kind !== "ok" || lastAt === null) return null;
	return { since: digits(read.text.trim()), lastAt };
}

/** `since` in epoch seconds; each writing moves the mtime. */
export function writeSighting(files: Files, path: string, since: number): void {
	files.writeAtomic(path, `${since}\n`);
}

/** A mark that cannot be looked at is none. */
export function hasMark(files: Files, place: UnstickPlace, mark: string) {
	return files.stat(unstickFile(place, mark)).kind === "ok";
}

/** Makes the folder. Best effort. */
export function setMark(files: Files, place: UnstickPlace, mark: string): void {
	files.mkdir(unstickDir(place.stateDir));
	files.writeAtomic(unstickFile(place, mark), "\n");
}

/** None there is fine. */
export function dropMark(files: Files, place: UnstickPlace, mark: string) {
	files.remove(unstickFile(place, mark));
}

/** Removes files that nobody touched since `oldest` (epoch seconds): windows come and go, and each dialog leaves an audit. */
export function pruneUnstick(
	files: Files,
	stateDir: string,
	oldest: number,
): void {
	const dir = unstickDir(stateDir);
	const listed = files.list(dir);
	if (listed.kind !== "ok") return;
	for (const name of listed.names) {
		// An episode's own files end with the episode.
		if (name.startsWith("ratelimit.") || name.startsWith("credential."))
			continue;
		const at = mtimeOf(files, join(dir, name));
		if (at !== null && at < oldest) files.remove(join(dir, name));
	}
}
