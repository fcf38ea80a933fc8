/**
 * The half of the real `Files` door that every program uses, and the only one that a hook loads, at every tool call.
 * Nothing here throws, hangs on a FIFO, or reads without a bound.
 */
import {
	closeSync,
	constants,
	copyFileSync,
	fstatSync,
	fsyncSync,
	lstatSync,
	lutimesSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { sortedByBytes } from "./byte-order.ts";
import type { EverydayFiles, FileStat, ReadResult } from "./doors.ts";
import { attempt, look, notListed, unlessAbsent } from "./file-answers.ts";

const LF = 10;
/** A symlink in the place of a file of ours leads who knows where. */
const MAKE = constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE = MAKE | constants.O_WRONLY;
const APPEND = MAKE | constants.O_APPEND | constants.O_RDWR;
/** A millisecond apart. */
const TORN_LOOKS = 5;
export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
let sequence = 0;

/**
 * Reads are bounded (`DEFAULT_MAX_BYTES` unless told), `writeAtomic` goes through a temporary file beside the target.
 * Failures are values with their errno.
 */
export function everydayFiles(): EverydayFiles {
	return {
		read: (path, maxBytes = DEFAULT_MAX_BYTES) =>
			withFile(path, (fd, size) =>
				size > maxBytes
					? { kind: "unreadable", reason: `larger than ${maxBytes} bytes` }
					: { kind: "ok", text: readFileSync(fd, "utf8") },
			),
		stat: (path) => look(() => ({ kind: "ok", stat: toStat(statSync(path)) })),
		lstat: (path) =>
			look(() => ({ kind: "ok", stat: toStat(lstatSync(path)) })),
		list: (dir) => {
			try {
				return { kind: "ok", names: sortedByBytes(readdirSync(dir)) };
			} catch (e) {
				return notListed(e);
			}
		},
		writeAtomic: (path, text, opts) =>
			attempt(path, () => {
				const temp = `${path}.tmp.${unique()}`;
				try {
					writeNew(temp, text, opts?.mode ?? 0o644, opts?.fsync ?? false);
					renameSync(temp, path);
				} catch (e) {
					rmSync(temp, { force: true });
					throw e;
				}
				if (opts?.fsync) syncFolder(dirname(path));
			}),
		writeNew: (path, text, opts) =>
			attempt(path, () => writeNew(path, text, opts?.mode ?? 0o644, false)),
		append: (path, lines, opts) =>
			lines === ""
				? { kind: "ok" }
				: attempt(path, () => appendLines(path, lines, opts?.mode ?? 0o644)),
		truncate: (path) =>
			attempt(path, () =>
				closeSync(openSync(path, WRITE | constants.O_TRUNC, 0o644)),
			),
		touch: (path, opts) =>
			attempt(path, () => {
				const at = opts?.at ?? Date.now() / 1000;
				if (opts?.create) closeSync(openSync(path, WRITE, 0o644));
				lutimesSync(path, at, at);
			}),
		remove: (path) => unlessAbsent(path, () => unlinkSync(path)),
		rename: (from, to) => attempt(from, () => renameSync(from, to)),
		copy: (from, to) => attempt(from, () => copyFileSync(from, to)),
		mkdir: (dir, mode = 0o755) =>
			attempt(dir, () => {
				mkdirSync(dir, { recursive: true, mode });
			}),
	};
}

/** Opens without blocking (a FIFO would hang the reader) and reads regular files only. */
export function withFile(
	path: string,
	read: (fd: number, size: number) => ReadResult,
): ReadResult {
	return look(() => {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		try {
			const stat = fstatSync(fd);
			if (!stat.isFile())
				return { kind: "unreadable", reason: "not a regular file" };
			return read(fd, stat.size);
		} finally {
			closeSync(fd);
		}
	});
}

/** ONE write(2): a line of two writers never mixes, and a crash tears at most the last line. */
function appendLines(path: string, lines: string, mode: number): void {
	const fd = openSync(path, APPEND, mode);
	try {
		if (!fstatSync(fd).isFile())
			throw systemError("ENXIO", "not a regular file");
		const front = hasTornTail(fd) ? "\n" : "";
		const end = lines.endsWith("\n") ? "" : "\n";
		const bytes = Buffer.from(`${front}${lines}${end}`);
		const wrote = writeSync(fd, bytes);
		if (wrote < bytes.length)
			throw systemError("ENOSPC", `only ${wrote} of ${bytes.length} bytes fit`);
	} finally {
		closeSync(fd);
	}
}

/**
 * A file grows page by page while another process is within its write(2), so a tail without a newline
 * may be one that is just coming. It is torn only if it stays so.
 */
function hasTornTail(fd: number): boolean {
	for (let look = 0; look < TORN_LOOKS; look++) {
		if (look > 0) Bun.sleepSync(1);
		const { size } = fstatSync(fd);
		const last = Buffer.alloc(1, "\n");
		if (size > 0) readSync(fd, last, 0, 1, size - 1);
		if (last[0] === LF) return false;
	}
	return true;
}

function writeNew(
	path: string,
	text: string | Uint8Array,
	mode: number,
	fsync: boolean,
): void {
	const fd = openSync(path, "wx", mode);
	try {
		const bytes = typeof text === "string" ? Buffer.from(text) : text;
		let at = 0;
		while (at < bytes.length) at += writeSync(fd, bytes, at);
		if (fsync) fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}

/** The rename itself must survive a power cut, too. */
function syncFolder(dir: string): void {
	const fd = openSync(dir, "r");
	try {
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}

/** For names of temporary files: no two calls on this machine give the same. */
export function unique(): string {
	sequence += 1;
	return `${process.pid}.${sequence}.${Date.now().toString(36)}`;
}

function systemError(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}

function toStat(s: Stats): FileStat {
	return {
		kind: kindOf(s),
		size: s.size,
		mtimeMs: s.mtimeMs,
		mode: s.mode & 0o7777,
		uid: s.uid,
		ino: s.ino,
		dev: s.dev,
	};
}

function kindOf(s: Stats): FileStat["kind"] {
	if (s.isSymbolicLink()) return "symlink";
	return s.isFile() ? "file" : s.isDirectory() ? "dir" : "other";
}
