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
/** What tells one folder from another. */
interface Entries<T> {
	readonly dirOf: (thrumDir: string) => string;
	readonly nameOf: (value: T) => string;
	/** Null for an object that is none of its kind. */
	readonly parse: (json: JsonObject) => T | null;
	readonly render: (value: T) => JsonObject;
}
export interface EntryFolder<T> {
	read(doors: EntryDoors, thrumDir: string, name: string): EntryRead<T>;
	/** In byte order of the names. */
	list(doors: EntryDoors, thrumDir: string): EntryList<T>;
	/** Makes the folder; both are for the owner's eyes alone. */
	write(doors: EntryDoors, thrumDir: string, value: T): WriteResult;
	/** Frees the name; what was set aside goes too. */
	remove(doors: EntryDoors, thrumDir: string, name: string): WriteResult;
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

const SUFFIX = ".json";

/** The four acts on a folder of `T`. A name is trusted: it has been through `names.ts`. */
export function entryFolder<T>(of: Entries<T>): EntryFolder<T> {
	return {
		read: (doors, thrumDir, name) =>
			readEntry(doors, of.dirOf(thrumDir), name, of.parse),
		list: (doors, thrumDir) => listEntries(doors, of.dirOf(thrumDir), of.parse),
		write: ({ files }, thrumDir, value) => {
			const dir = of.dirOf(thrumDir);
			files.mkdir(dir, 0o700);
			const text = `${JSON.stringify(of.render(value), null, "\t")}\n`;
			const path = entryPath(dir, of.nameOf(value));
			return files.writeAtomic(path, text, { mode: 0o600, fsync: true });
		},
		remove: ({ files }, thrumDir, name) => {
			const dir = of.dirOf(thrumDir);
			for (const file of asideOf(files, dir, name))
				files.remove(join(dir, file));
			return files.remove(entryPath(dir, name));
		},
	};
}

function entryPath(dir: string, name: string): string {
	return join(dir, `${name}${SUFFIX}`);
}

function readEntry<T>(
	doors: EntryDoors,
	dir: string,
	name: string,
	parse: Entries<T>["parse"],
): EntryRead<T> {
	const path = entryPath(dir, name);
	const read = doors.files.read(path);
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: `${path}: ${read.reason}` };
	if (read.kind === "ok") {
		const json = parseObject(read.text);
		const value = json === null ? null : parse(json);
		return value === null
			? setAside(doors, path, name, read.text)
			: { kind: "ok", name, value };
	}
	const aside = asideOf(doors.files, dir, name);
	return aside.length === 0
		? { kind: "absent" }
		: { kind: "damaged", name, why: `set aside as ${aside[0]}` };
}

function listEntries<T>(
	doors: EntryDoors,
	dir: string,
	parse: Entries<T>["parse"],
): EntryList<T> {
	const listed = doors.files.list(dir);
	if (listed.kind === "absent") return { kind: "ok", entries: [] };
	if (listed.kind === "unreadable")
		return { kind: "unreadable", why: `${dir}: ${listed.reason}` };
	const names = new Set(listed.names.flatMap(nameIn));
	const entries: Entry<T>[] = [];
	for (const name of names) {
		const read = readEntry(doors, dir, name, parse);
		if (read.kind === "unreadable") return read;
		if (read.kind !== "absent") entries.push(read);
	}
	return { kind: "ok", entries };
}

function setAside(
	doors: EntryDoors,
	path: string,
	name: string,
	text: string,
): Entry<never> {
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

function asideOf(files: Files, dir: string, name: string): readonly string[] {
	const listed = files.list(dir);
	const start = `${name}${SUFFIX}.damaged-`;
	return listed.kind === "ok"
		? listed.names.filter((file) => file.startsWith(start))
		: [];
}

/** No name holds a dot, so that `a.run.json` is not the entry `a.run`. */
function nameIn(file: string): readonly string[] {
	const [, name] = /^([^.]+)\./.exec(file) ?? [];
	if (name === undefined) return [];
	const rest = file.slice(name.length);
	return rest === SUFFIX || rest.startsWith(`${SUFFIX}.damaged-`) ? [name] : [];
}
