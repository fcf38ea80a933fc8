/**
 * `async-run/<window key>/<token>/`: one program that was started to outlive its turn, and what became of it
 * (contract 08 §4.2). Small files, so that a crash between two of them leaves the ones before.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { shellWord } from "../_sys/shell-quote.ts";
import { digits, parseKv } from "./kv.ts";
import { windowKey } from "./window-key.ts";

export interface AsyncRun {
	readonly token: string;
	readonly dir: string;
	readonly argv: readonly string[];
	readonly desc: string;
	/** Claude Code's session that started it; empty when it was not known. */
	readonly session: string;
	readonly pid: number | null;
	/** Start time of that pid, in clock ticks since boot. */
	readonly startTicks: string | null;
	readonly status: AsyncRunStatus | null;
	/** Somebody asked for its end. */
	readonly isCancelled: boolean;
	/** Bytes that it wrote. */
	readonly outBytes: number;
	readonly errBytes: number;
}
export interface AsyncRunStatus {
	readonly rc: number;
	/** Epoch seconds; null when it is no time. */
	readonly endedAt: number | null;
}
export interface NewAsyncRun {
	readonly argv: readonly string[];
	readonly desc: string;
	readonly cwd: string;
	/** Epoch seconds. */
	readonly startedAt: number;
	readonly session: string;
	readonly window: string;
}

const TOKEN = /^ar-[0-9a-f]{12}$/;

function isAsyncRunToken(word: string): boolean {
	return TOKEN.test(word);
}

export function asyncRunsDir(stateDir: string): string {
	return join(stateDir, "async-run");
}

export function asyncRunDir(
	stateDir: string,
	window: string,
	token: string,
): string {
	return join(asyncRunsDir(stateDir), windowKey(window), token);
}

/** What the run writes to its standard output; it grows while it runs. */
export function asyncRunOut(dir: string): string {
	return join(dir, "out");
}
/** As `asyncRunOut`, for standard error. */
export function asyncRunErr(dir: string): string {
	return join(dir, "err");
}

/** Where a token's folder is: its window's, else any window's; null when there is none. */
export function findAsyncRun(
	files: Files,
	stateDir: string,
	window: string | null,
	token: string,
): string | null {
	if (!isAsyncRunToken(token)) return null;
	const isThere = (dir: string) => files.stat(dir).kind === "ok";
	const own = window === null ? null : asyncRunDir(stateDir, window, token);
	if (own !== null && isThere(own)) return own;
	const root = asyncRunsDir(stateDir);
	const listed = files.list(root);
	const keys = listed.kind === "ok" ? listed.names : [];
	return keys.map((key) => join(root, key, token)).find(isThere) ?? null;
}

/** Tokens of a window, in the order of their names. */
export function listAsyncRuns(
	files: Files,
	stateDir: string,
	window: string,
): readonly string[] {
	const listed = files.list(join(asyncRunsDir(stateDir), windowKey(window)));
	return listed.kind === "ok" ? listed.names.filter(isAsyncRunToken) : [];
}

/**
 * Never fails: a file that is missing or cannot be read leaves its field empty, null or 0, and the verdict says what
 * follows.
 */
export function readAsyncRun(files: Files, dir: string): AsyncRun {
	const text = (name: string) => {
		const read = files.read(join(dir, name));
		return read.kind === "ok" ? read.text : "";
	};
	const bytes = (path: string) => {
		const found = files.stat(path);
		return found.kind === "ok" ? found.stat.size : 0;
	};
	return {
		token: dir.slice(dir.lastIndexOf("/") + 1),
		dir,
		argv: text("argv").split("\0").slice(0, -1),
		desc: text("desc").trimEnd(),
		session: text("session").trimEnd(),
		pid: digits(text("pid").trim()),
		startTicks: /^\d+$/.exec(text("pidstart").trim())?.[0] ?? null,
		status: readAsyncRunStatus(files, dir),
		isCancelled: files.stat(join(dir, "cancelled")).kind === "ok",
		outBytes: bytes(asyncRunOut(dir)),
		errBytes: bytes(asyncRunErr(dir)),
	};
}

/** Null until the program has ended and its runner has said so. */
export function readAsyncRunStatus(
	files: Files,
	dir: string,
): AsyncRunStatus | null {
	const read = files.read(join(dir, "status"));
	if (read.kind !== "ok") return null;
	const kv = parseKv(read.text);
	const rc = digits(kv.get("rc"));
	return rc === null ? null : { rc, endedAt: digits(kv.get("ended")) };
}

/** What is known before the program starts; the first file that fails ends it. */
export function writeNewAsyncRun(
	files: Files,
	dir: string,
	run: NewAsyncRun,
): WriteResult {
	const made = files.mkdir(dir, 0o750);
	if (made.kind === "failed") return made;
	return writeAll(files, dir, {
		// No argument can hold a NUL.
		argv: run.argv.map((word) => `${word}\0`).join(""),
		cmd: `${run.argv.map(shellWord).join(" ")}\n`,
		desc: `${run.desc}\n`,
		cwd: `${run.cwd}\n`,
		started: `${run.startedAt}\n`,
		session: `${run.session}\n`,
		window: `${run.window}\n`,
	});
}

/** `startTicks` goes first: a pid without it could be anybody's. */
export function writeAsyncRunPid(
	files: Files,
	dir: string,
	pid: number,
	startTicks: string,
): WriteResult {
	return writeAll(files, dir, { pidstart: `${startTicks}\n`, pid: `${pid}\n` });
}

/** `endedAt` in epoch seconds. Flushed to disk: it is all that remains of the process. */
export function writeAsyncRunStatus(
	files: Files,
	dir: string,
	rc: number,
	endedAt: number,
): WriteResult {
	const text = `rc=${rc}\nended=${endedAt}\n`;
	return files.writeAtomic(join(dir, "status"), text, { fsync: true });
}

/** `signalled` names the signals that were, or are about to be, sent. */
export function writeAsyncRunCancelled(
	files: Files,
	dir: string,
	marker: {
		readonly by: string;
		readonly at: number;
		readonly signalled: string;
	},
): WriteResult {
	const text = `by=${marker.by}\nat=${marker.at}\nsignalled=${marker.signalled}\n`;
	return files.writeAtomic(join(dir, "cancelled"), text);
}

function writeAll(
	files: Files,
	dir: string,
	texts: Readonly<Record<string, string>>,
): WriteResult {
	for (const [name, text] of Object.entries(texts)) {
		const done = files.writeAtomic(join(dir, name), text, { mode: 0o640 });
		if (done.kind === "failed") return done;
	}
	return { kind: "ok" };
}
