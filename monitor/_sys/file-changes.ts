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
let sequence = 0;

export type FileChanges = Pick<
	Files,
	| "writeAtomic"
	| "append"
	| "truncate"
	| "touch"
	| "remove"
	| "removeTree"
	| "rename"
	| "renameNew"
	| "copy"
	| "mkdir"
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
		const stat = fstatSync(fd);
		if (!stat.isFile()) throw new SystemError("ENXIO", "not a regular file");
		const front = stat.size > 0 && lastByte(fd, stat.size) !== LF ? "\n" : "";
		const end = lines.endsWith("\n") ? "" : "\n";
		const bytes = Buffer.from(`${front}${lines}${end}`);
		const wrote = writeSync(fd, bytes);
		if (wrote < bytes.length)
			throw new SystemError(
				"ENOSPC",
				`only ${wrote} of ${bytes.length} bytes fit`,
			);
	} finally {
		closeSync(fd);
	}
}

function lastByte(fd: number, size: number): number | undefined {
	const one = Buffer.alloc(1);
	return readSync(fd, one, 0, 1, size - 1) === 1 ? one[0] : undefined;
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

class SystemError extends Error {
	constructor(
		readonly code: string,
		message: string,
	) {
		super(message);
	}
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
