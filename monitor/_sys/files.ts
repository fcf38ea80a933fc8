/** The real `Files` door: the everyday half, and what only some programs need. */
import {
	closeSync,
	constants,
	fstatSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readlinkSync,
	readSync,
	realpathSync,
	rmSync,
	statSync,
	unlinkSync,
	watch,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sortedByBytes } from "./byte-order.ts";
import type { BytesResult, Files, ListResult } from "./doors.ts";
import {
	DEFAULT_MAX_BYTES,
	everydayFiles,
	unique,
	withFile,
} from "./everyday-files.ts";
import { attempt, look, notListed, unlessAbsent } from "./file-answers.ts";

/** Nothing here throws but `makeTempDir`, whose caller cannot go on without a folder. */
export function realFiles(): Files {
	return {
		...everydayFiles(),
		readFrom: (path, from, maxBytes = DEFAULT_MAX_BYTES) =>
			withFile(path, (fd, size) => ({
				kind: "ok",
				text: readAt(fd, from, Math.min(maxBytes, Math.max(0, size - from))),
			})),
		readBytes,
		listSlow,
		removeTree: (path) =>
			unlessAbsent(path, () => rmSync(path, { recursive: true, force: true })),
		renameNew: (from, to) =>
			attempt(from, () => {
				linkSync(from, to);
				unlinkSync(from);
			}),
		mkdirNew: (dir, mode = 0o755) => attempt(dir, () => mkdirSync(dir, mode)),
		realpath: (path) => orNull(() => realpathSync(path)),
		readlink: (path) => orNull(() => readlinkSync(path)),
		makeTempDir,
		probeWritable: (dir) =>
			attempt(dir, () => {
				const probe = join(dir, `.write-probe.${unique()}`);
				try {
					// Not an empty file: a full disk has room for those.
					writeFileSync(probe, "x", { flag: "wx", mode: 0o600 });
				} finally {
					rmSync(probe, { force: true });
				}
			}),
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

function readBytes(path: string, maxBytes: number): BytesResult {
	const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
	return look((): BytesResult => {
		const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
		try {
			const stat = fstatSync(fd);
			if (!stat.isFile())
				return { kind: "unreadable", reason: "not a regular file" };
			return stat.size > maxBytes
				? { kind: "unreadable", reason: `larger than ${maxBytes} bytes` }
				: { kind: "ok", bytes: readFileSync(fd) };
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
			(names) => given.resolve({ kind: "ok", names: sortedByBytes(names) }),
			(e) => given.resolve(notListed(e)),
		);
	try {
		return await given.promise;
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", onAbort);
	}
}

/**
 * A socket's path has 107 bytes, and what we make holds sockets of tmux, each some folders down: below a longer folder
 * than this there would be none.
 */
const LONGEST_TEMP_FOLDER = 48;

/** In the folder for temporary files; in `/tmp` where that is too deep or cannot be written. */
function makeTempDir(prefix: string): string {
	const { TMPDIR, TMP, TEMP } = process.env;
	const asked = TMPDIR || TMP || TEMP || "/tmp";
	if (Buffer.byteLength(asked) > LONGEST_TEMP_FOLDER || !asked.startsWith("/"))
		return mkdtempSync(join("/tmp", prefix));
	try {
		return mkdtempSync(join(asked, prefix));
	} catch {
		return mkdtempSync(join("/tmp", prefix));
	}
}

function orNull(ask: () => string): string | null {
	try {
		return ask();
	} catch {
		return null;
	}
}
