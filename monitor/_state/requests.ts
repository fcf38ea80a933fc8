/** `<inbox>/<id>.<state>.md`: the name is the state of record, the rename is the signal (contract 08 §6.1). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { fieldOf, splitFrontmatter } from "./frontmatter.ts";

export const REQUEST_STATES = [
	"new",
	"claimed",
	"replied",
	"done",
	"failed",
	"replying",
	"failing",
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export interface RequestName {
	readonly id: string;
	readonly state: RequestState;
}

/** Fields as written; empty when absent. */
export interface RequestHead {
	readonly request: string;
	readonly origin: string;
	readonly kind: string;
	readonly priority: string;
	readonly reply: string;
	/** The in-file state, which may lag behind the name. */
	readonly state: string;
	/** Text below `## Request`. */
	readonly text: string;
}

/** Everything the watcher needs stands at the head of the file; the details may be of any size. */
const HEAD_BYTES = 64 * 1024;

/** The name says the state; a rename to another is the transition. */
export function requestFileName({ id, state }: RequestName): string {
	return `${id}.${state}.md`;
}

/** Null for a name that is no request: the id's alphabet makes traversal unrepresentable. */
export function parseRequestName(name: string): RequestName | null {
	const [, id, word] = /^([A-Za-z0-9_-]+)\.([a-z]+)\.md$/.exec(name) ?? [];
	const state = REQUEST_STATES.find((s) => s === word);
	return id === undefined || state === undefined ? null : { id, state };
}

/** The time that an id starts with (`<UTC YYYYMMDDTHHMMSSZ>-…`), or empty: sorts first. */
export function requestTime(id: string): string {
	return /^\d{8}T\d{6}Z/.exec(id)?.[0] ?? "";
}

/** Never throws: text without frontmatter has empty fields. */
export function parseRequestHead(text: string): RequestHead {
	const matter = splitFrontmatter(text);
	return {
		request: fieldOf(matter, "request"),
		origin: fieldOf(matter, "origin"),
		kind: fieldOf(matter, "kind"),
		priority: fieldOf(matter, "priority"),
		reply: fieldOf(matter, "reply"),
		state: fieldOf(matter, "state"),
		text: sectionText(matter.body),
	};
}

export type RequestLook =
	| { readonly kind: "ok"; readonly head: RequestHead }
	| { readonly kind: "absent" }
	/** A folder, a FIFO, or a symlink that leaves the inbox: no request. */
	| { readonly kind: "foreign"; readonly why: string }
	| { readonly kind: "unreadable"; readonly why: string };

/** Reads the head of a request; never follows a symlink out of the inbox. */
export function readRequest(
	files: Files,
	inbox: string,
	name: string,
): RequestLook {
	const path = join(inbox, name);
	const found = files.lstat(path);
	if (found.kind === "absent") return found;
	if (found.kind === "unreadable")
		return { kind: "unreadable", why: found.reason };
	if (found.stat.kind === "symlink" && !staysInside(files, inbox, path))
		return { kind: "foreign", why: "a symlink that leaves the inbox" };
	const target = files.stat(path);
	if (target.kind !== "ok" || target.stat.kind !== "file")
		return { kind: "foreign", why: "not a plain file" };
	const read = files.readFrom(path, 0, HEAD_BYTES);
	if (read.kind === "absent") return read;
	return read.kind === "unreadable"
		? { kind: "unreadable", why: read.reason }
		: { kind: "ok", head: parseRequestHead(read.text) };
}

function staysInside(files: Files, inbox: string, path: string): boolean {
	const root = files.realpath(inbox);
	const real = files.realpath(path);
	return root !== null && real?.startsWith(`${root}/`) === true;
}

function sectionText(body: string): string {
	const lines = body.split("\n");
	const start = lines.findIndex((line) => /^## Request[ \t]*$/.test(line));
	return start < 0 ? "" : lines.slice(start + 1).join("\n");
}
