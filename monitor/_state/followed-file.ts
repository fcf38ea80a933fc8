/**
 * An append-only file that is looked at again and again: only what was appended since the last look is read and parsed.
 * Reading a log whole at each look costs memory in proportion to it, all night long.
 */
import type { FileStat, Files, ReadResult } from "../_sys/doors.ts";

export type Followed<T> =
	| {
			readonly kind: "ok";
			readonly rows: readonly T[];
			/** Nothing in it, or nothing but NUL. */
			readonly isBlank: boolean;
	  }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };

export type FollowFile<T> = (files: Files, path: string) => Followed<T>;

/**
 * `parse`: of any number of lines, the rows in order; it must not matter where the text is cut between two lines. A last
 * line without its end counts as it stands, and is looked at again. A file that was replaced, emptied or changed before its
 * last known line is read anew, and is `unreadable` if it then has more than `maxBytes`.
 */
export function followFile<T>(
	parse: (text: string) => readonly T[],
	maxBytes: number,
): FollowFile<T> {
	const known = new Map<string, Known<T>>();
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
		const on = before === undefined ? null : readOn(files, path, before);
		const read = on ?? wholeOf(files.read(path, maxBytes));
		if (read.kind !== "ok") return read;
		const now = grown(read.from, read.text, parse, found.stat);
		known.set(key, now);
		for (const old of [...known.keys()].slice(0, -MOST_FILES))
			known.delete(old);
		return followed(now);
	};
}

/** A log and its newest rotation. */
const MOST_FILES = 2;
const END_CHARS = 2000;

interface Known<T> {
	/** Of whole lines. */
	readonly rows: readonly T[];
	/** Bytes of whole lines. */
	readonly offset: number;
	/** Their end: what must still stand before `offset`. */
	readonly end: string;
	/** Rows of what stands behind them. */
	readonly tailRows: readonly T[];
	readonly isBlank: boolean;
	/** What the file was when all of it had been read; null: not all of it was. */
	readonly stat: FileStat | null;
}

const NOTHING: Known<never> = {
	rows: [],
	offset: 0,
	end: "",
	tailRows: [],
	isBlank: true,
	stat: null,
};

function isSame({ stat }: Known<unknown>, now: FileStat): boolean {
	return stat?.size === now.size && stat.mtimeMs === now.mtimeMs;
}

function followed<T>({ rows, tailRows, isBlank }: Known<T>): Followed<T> {
	return {
		kind: "ok",
		rows: tailRows.length === 0 ? rows : [...rows, ...tailRows],
		isBlank,
	};
}

type Piece<T> =
	| { readonly kind: "ok"; readonly from: Known<T>; readonly text: string }
	| Exclude<ReadResult, { readonly kind: "ok" }>;

/** What was appended; null: this is not the file that was known, or nothing of it is. */
function readOn<T>(
	files: Files,
	path: string,
	before: Known<T>,
): Piece<T> | null {
	const { end, offset } = before;
	if (offset === 0) return null;
	const read = files.readFrom(path, offset - bytesOf(end));
	if (read.kind !== "ok") return read;
	if (!read.text.startsWith(end)) return null;
	return { kind: "ok", from: before, text: read.text.slice(end.length) };
}

function wholeOf(read: ReadResult): Piece<never> {
	return read.kind === "ok"
		? { kind: "ok", from: NOTHING, text: read.text }
		: read;
}

function grown<T>(
	from: Known<T>,
	text: string,
	parse: (text: string) => readonly T[],
	stat: FileStat,
): Known<T> {
	const cut = text.lastIndexOf("\n") + 1;
	const lines = text.slice(0, cut);
	const tail = text.slice(cut);
	const offset = from.offset + bytesOf(lines);
	const tailRows = tail === "" ? [] : parse(tail);
	const fresh = lines === "" ? [] : parse(lines);
	const rows = fresh.length === 0 ? from.rows : [...from.rows, ...fresh];
	const isBlank = from.offset === 0 && /^\0*$/.test(text);
	// Bytes that were no UTF-8 cannot be counted in the text: such a file is read whole each time.
	if (text.includes("\ufffd"))
		return { rows, offset: 0, end: "", tailRows, isBlank, stat: null };
	return {
		rows,
		offset,
		end: endOf(from.end + lines),
		tailRows,
		isBlank,
		stat: offset + bytesOf(tail) === stat.size ? stat : null,
	};
}

/** Whole lines, about so many characters of them: a short file whole. */
function endOf(lines: string): string {
	const from = lines.length - END_CHARS;
	return from <= 0 ? lines : lines.slice(lines.lastIndexOf("\n", from - 1) + 1);
}

function bytesOf(text: string): number {
	return Buffer.byteLength(text);
}
