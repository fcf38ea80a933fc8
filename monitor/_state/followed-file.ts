/**
 * An append-only file that is looked at again and again: only what was appended since the last look is read and parsed.
 * Reading a log whole at each look leaves garbage in proportion to it, all night long.
 */
import type { FileStat, Files, ReadResult } from "../_sys/doors.ts";

/** How lines become what is known of a file. */
export interface Reading<S> {
	readonly empty: S;
	/** What is known with these lines, any number of them; it must not matter where a text is cut between two lines. */
	readonly add: (known: S, lines: string) => S;
}

/** `atMost`: a larger file is not read. `last`: of a larger one its end is enough, and what is appended from then on. */
export type Bound =
	| { readonly kind: "atMost"; readonly bytes: number }
	| { readonly kind: "last"; readonly bytes: number };

export type Followed<S> =
	| {
			readonly kind: "ok";
			readonly value: S;
			/** Nothing in it, or nothing but NUL. */
			readonly isBlank: boolean;
	  }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };

export type FollowFile<S> = (files: Files, path: string) => Followed<S>;

/**
 * A last line without its end counts as it stands, and is looked at again. A file that was replaced, emptied or changed
 * before its last known lines is read anew, and is `unreadable` if it then has more than it may.
 */
export function followFile<S>(
	reading: Reading<S>,
	bound: Bound,
): FollowFile<S> {
	const known = new Map<string, Known<S>>();
	return (files, path) => {
		const found = files.stat(path);
		if (found.kind !== "ok") return found;
		const key = `${found.stat.dev}:${found.stat.ino}`;
		const before = known.get(key);
		known.delete(key);
		if (before !== undefined && isSame(before, found.stat)) {
			known.set(key, before);
			return followed(before);
		}
		const source = { files, path, bound, size: found.stat.size };
		const on = before === undefined ? null : readOn(source, before);
		const read = on ?? readAnew(source, reading.empty);
		if (read.kind !== "ok") return read;
		const now = grown(read.from, read.text, reading, found.stat);
		known.set(key, now);
		for (const old of [...known.keys()].slice(0, -MOST_FILES))
			known.delete(old);
		return followed(now);
	};
}

/** One row or more a line, none forgotten. */
export function rowsBy<T>(
	parse: (lines: string) => readonly T[],
): Reading<readonly T[]> {
	return {
		empty: [],
		add: (known, lines) => {
			const fresh = parse(lines);
			return fresh.length === 0 ? known : [...known, ...fresh];
		},
	};
}

/** A log and its newest rotation. */
const MOST_FILES = 2;
const END_CHARS = 2000;

interface Known<S> {
	/** By the whole lines. */
	readonly whole: S;
	/** With what stands behind them. */
	readonly value: S;
	/** Where the whole lines end, bytes; 0: nobody can tell, and the next look reads anew. */
	readonly offset: number;
	/** What must still stand before `offset`. */
	readonly end: string;
	readonly isBlank: boolean;
	/** What the file was when all of it had been read; null: not all of it was. */
	readonly stat: FileStat | null;
}

function isSame({ stat }: Known<unknown>, now: FileStat): boolean {
	return stat?.size === now.size && stat.mtimeMs === now.mtimeMs;
}

function followed<S>({ value, isBlank }: Known<S>): Followed<S> {
	return { kind: "ok", value, isBlank };
}

interface Source {
	readonly files: Files;
	readonly path: string;
	readonly bound: Bound;
	readonly size: number;
}

/** Where to go on from. */
type From<S> = Pick<Known<S>, "whole" | "offset" | "end">;

type Piece<S> =
	| { readonly kind: "ok"; readonly from: From<S>; readonly text: string }
	| Exclude<ReadResult, { readonly kind: "ok" }>;

/** What was appended; null: this is not the file that was known, nothing of it is, or its end alone is the shorter way. */
function readOn<S>(
	{ files, path, bound, size }: Source,
	from: Known<S>,
): Piece<S> | null {
	const { end, offset } = from;
	if (offset === 0) return null;
	if (bound.kind === "last" && size - offset > bound.bytes) return null;
	const before = bytesOf(end);
	const read = files.readFrom(path, offset - before, before + bound.bytes);
	if (read.kind !== "ok") return read;
	if (!read.text.startsWith(end)) return null;
	return { kind: "ok", from, text: read.text.slice(end.length) };
}

function readAnew<S>({ files, path, bound, size }: Source, empty: S): Piece<S> {
	const cut = bound.kind === "last" && size > bound.bytes;
	const read = cut
		? files.readFrom(path, size - bound.bytes, bound.bytes)
		: files.read(path, bound.bytes);
	if (read.kind !== "ok") return read;
	// The line that was cut is none.
	const text = cut ? read.text.slice(read.text.indexOf("\n") + 1) : read.text;
	const offset = cut ? size - bytesOf(text) : 0;
	return { kind: "ok", from: { whole: empty, offset, end: "" }, text };
}

function grown<S>(
	from: From<S>,
	text: string,
	{ add }: Reading<S>,
	stat: FileStat,
): Known<S> {
	const cut = text.lastIndexOf("\n") + 1;
	const lines = text.slice(0, cut);
	const tail = text.slice(cut);
	const whole = lines === "" ? from.whole : add(from.whole, lines);
	const value = tail === "" ? whole : add(whole, tail);
	const offset = from.offset + bytesOf(lines);
	const end = endOf(from.end + lines);
	const isBlank = from.offset === 0 && /^\0*$/.test(text);
	// Bytes that were no UTF-8 cannot be counted in the text, and where no line has ended nothing can be known again.
	if (text.includes("\ufffd") || end === "")
		return { whole, value, offset: 0, end: "", isBlank, stat: null };
	const all = offset + bytesOf(tail) === stat.size;
	return { whole, value, offset, end, isBlank, stat: all ? stat : null };
}

/** Whole lines, about so many characters of them: a short file whole. As a copy: a slice keeps all it was cut from. */
function endOf(lines: string): string {
	const from = lines.length - END_CHARS;
	const start = from <= 0 ? 0 : lines.lastIndexOf("\n", from - 1) + 1;
	return Buffer.from(lines.slice(start)).toString();
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text);
}
