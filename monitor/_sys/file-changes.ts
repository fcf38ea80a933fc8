/** The changing half of the real `Files` door. */
import {
	closeSync,
	constants,
	copyFileSync,
	fstatSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	unlinkSync,
	utimesSync,
	writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Files, WriteResult } from "./doors.ts";
import { errnoOf } from "./errno.ts";

const OK: WriteResult = { kind: "ok" };
const LF = 10;
/** A millisecond apart. */
const TORN_LOOKS = 5;
let sequence = 0;

export type FileChanges = Pick<
	Files,
	| "writeAtomic"
	| "writeNew"
	| "append"
	| "truncate"
	| "touch"
	| "remove"
	| "removeTree"
	| "rename"
	| "renameNew"
	| "copy"
	| "mkdir"
	| "mkdirNew"
	| "probeWritable"
>;

export function fileChanges(): FileChanges {
	return {
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
				? OK
				: attempt(path, () => appendLines(path, lines, opts?.mode ?? 0o644)),
		truncate: (path) => attempt(path, () => closeSync(openSync(path, "w"))),
		touch: (path, opts) =>
			attempt(path, () => {
				const at = opts?.at ?? Date.now() / 1000;
				if (opts?.create) closeSync(openSync(path, "a"));
				utimesSync(path, at, at);
			}),
		remove: (path) => unlessAbsent(path, () => unlinkSync(path)),
		removeTree: (path) =>
			unlessAbsent(path, () => rmSync(path, { recursive: true, force: true })),
		rename: (from, to) => attempt(from, () => renameSync(from, to)),
		renameNew: (from, to) =>
			attempt(from, () => {
				linkSync(from, to);
				unlinkSync(from);
			}),
		copy: (from, to) => attempt(from, () => copyFileSync(from, to)),
		mkdir: (dir, mode = 0o755) =>
			attempt(dir, () => {
				mkdirSync(dir, { recursive: true, mode });
			}),
		mkdirNew: (dir, mode = 0o755) => attempt(dir, () => mkdirSync(dir, mode)),
		probeWritable: (dir) =>
			attempt(dir, () => {
				const probe = join(dir, `.write-probe.${unique()}`);
				closeSync(openSync(probe, "wx", 0o600));
				unlinkSync(probe);
			}),
	};
}

/** ONE write(2): a line of two writers never mixes, and a crash tears at most the last line. */
function appendLines(path: string, lines: string, mode: number): void {
	const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;
	const fd = openSync(path, O_APPEND | O_CREAT | O_NONBLOCK | O_RDWR, mode);
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
	text: string,
	mode: number,
	fsync: boolean,
): void {
	const fd = openSync(path, "wx", mode);
	try {
		const bytes = Buffer.from(text);
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

function unique(): string {
	sequence += 1;
	return `${process.pid}.${sequence}.${Date.now().toString(36)}`;
}

function systemError(code: string, message: string): Error {
	return Object.assign(new Error(message), { code });
}

function attempt(path: string, act: () => void): WriteResult {
	try {
		act();
		return OK;
	} catch (e) {
		const code = errnoOf(e);
		return { kind: "failed", code, reason: `${code}: ${path}` };
	}
}

function unlessAbsent(path: string, act: () => void): WriteResult {
	const done = attempt(path, act);
	const absent =
		done.kind === "failed" &&
		(done.code === "ENOENT" || done.code === "ENOTDIR");
	return absent ? OK : done;
}
