/**
 * Folders of the fleet with one JSON file a name. A damaged file is reported and renamed aside once, and its name stays
 * taken: "there is nothing" would let somebody else have it (contract 09 §2.2).
 */
import { join } from "node:path";
import type { Clock, Files, Log, WriteResult } from "../../_sys/doors.ts";
import { type JsonObject, parseObject } from "../json-object.ts";

export interface EntryDoors {
	readonly files: Files;
	readonly clock: Pick<Clock, "now">;
	readonly log: Log;
}
/** `parse` answers null for an object that is none of its kind. */
export interface EntryKind<T> {
	readonly dir: string;
	/** Behind the name, `.json` and what may stand in front of it. */
	readonly suffix: string;
	readonly parse: (json: JsonObject) => T | null;
}
export type Entry<T> =
	| { readonly kind: "ok"; readonly name: string; readonly value: T }
	| { readonly kind: "damaged"; readonly name: string; readonly why: string };
export type EntryRead<T> =
	| Entry<T>
	| { readonly kind: "absent" }
	/** Could not look: nothing may be concluded, and nothing written. */
	| { readonly kind: "unreadable"; readonly why: string };
export type EntryList<T> =
	| { readonly kind: "ok"; readonly entries: readonly Entry<T>[] }
	| { readonly kind: "unreadable"; readonly why: string };

function entryPath(of: EntryKind<unknown>, name: string): string {
	return join(of.dir, `${name}${of.suffix}`);
}

export function readEntry<T>(
	doors: EntryDoors,
	of: EntryKind<T>,
	name: string,
): EntryRead<T> {
	const path = entryPath(of, name);
	const read = doors.files.read(path);
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: `${path}: ${read.reason}` };
	if (read.kind === "ok") return parsed(doors, of, name, read.text);
	const aside = asideOf(doors.files, of, name);
	return aside.length === 0
		? { kind: "absent" }
		: { kind: "damaged", name, why: `set aside as ${aside[0]}` };
}

/** In byte order of the names. */
export function listEntries<T>(
	doors: EntryDoors,
	of: EntryKind<T>,
): EntryList<T> {
	const listed = doors.files.list(of.dir);
	if (listed.kind === "absent") return { kind: "ok", entries: [] };
	if (listed.kind === "unreadable")
		return { kind: "unreadable", why: `${of.dir}: ${listed.reason}` };
	const names = new Set(listed.names.flatMap((file) => nameIn(of, file)));
	const entries: Entry<T>[] = [];
	for (const name of names) {
		const read = readEntry(doors, of, name);
		if (read.kind === "unreadable") return read;
		if (read.kind !== "absent") entries.push(read);
	}
	return { kind: "ok", entries };
}

export function writeEntry(
	files: Files,
	of: EntryKind<unknown>,
	name: string,
	json: JsonObject,
	mode = 0o600,
): WriteResult {
	files.mkdir(of.dir, 0o700);
	const text = `${JSON.stringify(json, null, "\t")}\n`;
	return files.writeAtomic(entryPath(of, name), text, { mode, fsync: true });
}

/** Frees the name; what was set aside goes too. */
export function removeEntry(
	files: Files,
	of: EntryKind<unknown>,
	name: string,
): WriteResult {
	for (const file of asideOf(files, of, name)) files.remove(join(of.dir, file));
	return files.remove(entryPath(of, name));
}

function parsed<T>(
	doors: EntryDoors,
	of: EntryKind<T>,
	name: string,
	text: string,
): Entry<T> {
	const json = parseObject(text);
	const value = json === null ? null : of.parse(json);
	if (value !== null) return { kind: "ok", name, value };
	const path = entryPath(of, name);
	const aside = `${path}.damaged-${doors.clock.now()}`;
	const moved = doors.files.rename(path, aside);
	const why = text === "" ? "zero bytes" : "not of its format";
	const where =
		moved.kind === "ok"
			? `set aside as ${aside}`
			: `not moved: ${moved.reason}`;
	doors.log.warn(`fleet: ${path} is damaged (${why}); ${where}`);
	return { kind: "damaged", name, why };
}

function asideOf(
	files: Files,
	of: EntryKind<unknown>,
	name: string,
): readonly string[] {
	const listed = files.list(of.dir);
	const start = `${name}${of.suffix}.damaged-`;
	return listed.kind === "ok"
		? listed.names.filter((file) => file.startsWith(start))
		: [];
}

/** No name holds a dot, so that `a.run.json` is not the entry `a.run`. */
function nameIn(of: EntryKind<unknown>, file: string): readonly string[] {
	const [, name] = /^([^.]+)\./.exec(file) ?? [];
	if (name === undefined) return [];
	const rest = file.slice(name.length);
	return rest === of.suffix || rest.startsWith(`${of.suffix}.damaged-`)
		? [name]
		: [];
}
