/** The real `Files` door. Nothing here throws, hangs on a FIFO, or reads without a bound. */
import {
	closeSync,
	constants,
	type Dirent,
	fstatSync,
	lstatSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	readSync,
	realpathSync,
	type Stats,
	statSync,
	watch,
} from "node:fs";
import { join } from "node:path";
import type { FileStat, Files, ListResult, ReadResult } from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { fileChanges } from "./file-changes.ts";

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

export function realFiles(): Files {
	return {
		...fileChanges(),
		read: (path, maxBytes = DEFAULT_MAX_BYTES) =>
			withFile(path, (fd, size) => {
				if (size > maxBytes)
					return {
						kind: "unreadable",
						reason: `larger than ${maxBytes} bytes`,
					};
				return { kind: "ok", text: readFileSync(fd, "utf8") };
			}),
		readFrom: (path, from, maxBytes = DEFAULT_MAX_BYTES) =>
			withFile(path, (fd, size) => ({
				kind: "ok",
				text: readAt(fd, from, Math.min(maxBytes, Math.max(0, size - from))),
			})),
		stat: (path) => look(() => ({ kind: "ok", stat: toStat(statSync(path)) })),
		lstat: (path) =>
			look(() => ({ kind: "ok", stat: toStat(lstatSync(path)) })),
		list: (dir) => {
			try {
				return { kind: "ok", names: readdirSync(dir).sort(byBytes) };
			} catch (e) {
				return notListed(e);
			}
		},
		listSlow,
		realpath: (path) => orNull(() => realpathSync(path)),
		readlink: (path) => orNull(() => readlinkSync(path)),
		makeTempDir: (prefix) => mkdtempSync(join(tempFolder(), prefix)),
		watch: (dir, onChange) => {
			try {
				if (!statSync(dir).isDirectory()) return null;
				const watcher = watch(dir, { persistent: false }, () => onChange());
				// The folder went away: a hint less, and the cadence finds the rest.
				watcher.on("error", () => watcher.close());
				return () => watcher.close();
			} catch {
				return null;
			}
		},
	};
}

/** Opens without blocking (a FIFO would hang the reader) and reads regular files only. */
function withFile(
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

function readAt(fd: number, from: number, length: number): string {
	const buffer = Buffer.alloc(length);
	let got = 0;
	while (got < length) {
		const n = readSync(fd, buffer, got, length - got, from + got);
		if (n === 0) break;
		got += n;
	}
	return buffer.toString("utf8", 0, got);
}

/** A thing below a file is provably not there, like a missing one. */
function look<T>(
	ask: () => T,
):
	| T
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string } {
	try {
		return ask();
	} catch (e) {
		const code = errnoOf(e);
		return code === "ENOENT" || code === "ENOTDIR"
			? { kind: "absent" }
			: { kind: "unreadable", reason: code };
	}
}

async function listSlow(
	dir: string,
	ms: number,
	signal?: AbortSignal,
): Promise<ListResult> {
	if (signal?.aborted) return { kind: "unreadable", reason: "aborted" };
	const given = Promise.withResolvers<ListResult>();
	const giveUp = (reason: string) =>
		given.resolve({ kind: "unreadable", reason });
	const onAbort = () => giveUp("aborted");
	const timer = setTimeout(() => giveUp("timed out"), ms);
	signal?.addEventListener("abort", onAbort, { once: true });
	// Loaded by whoever lists slowly: a hook, which starts at every tool call, never does.
	import("node:fs/promises")
		.then(({ readdir }) => readdir(dir))
		.then(
			(names) => given.resolve({ kind: "ok", names: names.sort(byBytes) }),
			(e) => given.resolve(notListed(e)),
		);
	try {
		return await given.promise;
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", onAbort);
	}
}

/** As `os.tmpdir()`, without loading it. */
function tempFolder(): string {
	const { TMPDIR, TMP, TEMP } = process.env;
	return TMPDIR || TMP || TEMP || "/tmp";
}

/** A file where a folder was asked for is a surprise, not an empty folder. */
function notListed(e: unknown): ListResult {
	const code = errnoOf(e);
	return code === "ENOENT"
		? { kind: "absent" }
		: { kind: "unreadable", reason: code };
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

function kindOf(s: Stats | Dirent): FileStat["kind"] {
	if (s.isFile()) return "file";
	if (s.isDirectory()) return "dir";
	return s.isSymbolicLink() ? "symlink" : "other";
}

function byBytes(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function orNull(ask: () => string): string | null {
	try {
		return ask();
	} catch {
		return null;
	}
}
