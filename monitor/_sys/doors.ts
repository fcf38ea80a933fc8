/**
 * The doors: everything that touches the world comes in through one `Doors`
 * object, so that a duty runs the same on real parts and in a simulation.
 * Types only; the real doors are built by `real-doors.ts`, the fakes live in
 * `tests/fakes/`. No other module reads a clock, a disk, a process, tmux or
 * the network (architecture, rule 2).
 */

/** Wall and monotonic time. `NEXUS_TEST_NOW` (epoch seconds) freezes both and makes `sleep` return at once. */
export interface Clock {
	/** Wall clock, whole seconds since the epoch. */
	now(): number;
	/** Wall clock, milliseconds since the epoch. */
	nowMs(): number;
	/** Monotonic clock, milliseconds from an arbitrary start. Not moved by time steps. */
	monoMs(): number;
	/** Local time with numeric offset, seconds precision: `2026-05-11T13:42:01-07:00`. Default: now. */
	iso(epochSeconds?: number): string;
	/** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<"slept" | "aborted">;
	/**
	 * Runs `fn` once after `ms`; returns the cancel function. The timer does not keep the process alive.
	 */
	after(ms: number, fn: () => void): () => void;
}

export interface FileStat {
	readonly kind: "file" | "dir" | "symlink" | "other";
	readonly size: number;
	/** Modification time, milliseconds since the epoch (fractional). */
	readonly mtimeMs: number;
	readonly mode: number;
	readonly uid: number;
	readonly ino: number;
	readonly dev: number;
}

/** Three answers (style rule 4): there, provably not there, could not look. */
export type ReadResult =
	| { readonly kind: "ok"; readonly text: string }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type StatResult =
	| { readonly kind: "ok"; readonly stat: FileStat }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type ListResult =
	| { readonly kind: "ok"; readonly names: readonly string[] }
	| { readonly kind: "absent" }
	| { readonly kind: "unreadable"; readonly reason: string };
export type WriteResult =
	| { readonly kind: "ok" }
	| { readonly kind: "failed"; readonly code: string; readonly reason: string };

/**
 * The disk. Calls are synchronous: local files only, each bounded in size.
 * `listSlow` is for folders that may stand on a slow disk. None of them throws.
 */
export interface Files {
	/** UTF-8 text; `maxBytes` (default 16 MiB): a larger file is `unreadable`. A folder or FIFO is `unreadable`, never a hang. */
	read(path: string, maxBytes?: number): ReadResult;
	/** Bytes from `from` (inclusive) to the end, at most `maxBytes`, decoded leniently. For growing logs and transcripts. */
	readFrom(path: string, from: number, maxBytes?: number): ReadResult;
	/** Follows symlinks. */
	stat(path: string): StatResult;
	/** Does not follow symlinks. */
	lstat(path: string): StatResult;
	/** Base names in byte order. */
	list(dir: string): ListResult;
	/** As `list`, off the event loop; `unreadable` when `ms` pass first or `signal` aborts. */
	listSlow(dir: string, ms: number, signal?: AbortSignal): Promise<ListResult>;
	/** Temporary file `<path>.tmp.<unique>` in the same folder, then rename. Default mode 0644; `fsync` where loss would hurt. */
	writeAtomic(
		path: string,
		text: string,
		opts?: { readonly mode?: number; readonly fsync?: boolean },
	): WriteResult;
	/** One write(2) of whole lines on an O_APPEND descriptor; seals a torn tail first (contract 00 C9). Adds the final newline when missing. */
	append(
		path: string,
		lines: string,
		opts?: { readonly mode?: number },
	): WriteResult;
	/** Creates or truncates in place (keeps the inode). Only where an inode matters; else `writeAtomic`. */
	truncate(path: string): WriteResult;
	/** mtime := now (or the given time, epoch seconds); does not create unless `create`. */
	touch(
		path: string,
		opts?: { readonly create?: boolean; readonly at?: number },
	): WriteResult;
	/** Removing what is absent is `ok`. */
	remove(path: string): WriteResult;
	/** Removes a folder with its contents; absent is `ok`. */
	removeTree(path: string): WriteResult;
	/** Replaces `to`. */
	rename(from: string, to: string): WriteResult;
	/** Fails with code `EEXIST` when `to` exists (link + unlink). */
	renameNew(from: string, to: string): WriteResult;
	copy(from: string, to: string): WriteResult;
	/** With parents; existing is `ok`. */
	mkdir(dir: string, mode?: number): WriteResult;
	/** Real path, or null when it does not resolve. */
	realpath(path: string): string | null;
	/** Target of a symlink, or null. */
	readlink(path: string): string | null;
	/** A fresh private folder under the temporary directory. */
	makeTempDir(prefix: string): string;
	/** Create-and-unlink probe of a folder (contract 01 §2.2). */
	probeWritable(dir: string): WriteResult;
	/**
	 * Calls `onChange` (gathered by the caller) on any change below `dir`; a hint, never the only way.
	 * Returns the stop function; a folder that cannot be watched yields null.
	 */
	watch(dir: string, onChange: () => void): (() => void) | null;
}

export interface ExecOptions {
	/** Wall limit on the monotonic clock, ms. At the limit the whole process group gets SIGKILL and the call settles at once. */
	readonly timeoutMs: number;
	readonly signal?: AbortSignal;
	readonly stdin?: string;
	readonly cwd?: string;
	/** Complete environment; default: the program's own. */
	readonly env?: Readonly<Record<string, string>>;
	/** Kept bytes per stream (default 4 MiB); more is cut. */
	readonly maxBytes?: number;
	/** `detached` puts the child in its own process group, so that its children end with it (default true). */
	readonly ownGroup?: boolean;
}
export type ExecResult =
	| {
			readonly kind: "exited";
			readonly rc: number;
			readonly stdout: string;
			readonly stderr: string;
	  }
	| { readonly kind: "not-found"; readonly program: string }
	| {
			readonly kind: "timeout";
			readonly stdout: string;
			readonly stderr: string;
	  }
	| { readonly kind: "aborted" }
	| { readonly kind: "failed"; readonly reason: string };

export interface SpawnDetached {
	readonly argv: readonly string[];
	readonly cwd?: string;
	readonly env: Readonly<Record<string, string>>;
	/** Log file; opened O_APPEND, created 0640. `null` = /dev/null. */
	readonly log: string | null;
}

/** What is known of one process. `startTicks` is field 22 of /proc/<pid>/stat. */
export interface ProcStat {
	readonly pid: number;
	readonly ppid: number;
	readonly pgid: number;
	readonly sid: number;
	readonly comm: string;
	readonly state: string;
	readonly utime: number;
	readonly stime: number;
	readonly startTicks: string;
}
export type Looked<T> =
	| { readonly kind: "ok"; readonly value: T }
	| { readonly kind: "absent" }
	| { readonly kind: "unknown"; readonly reason: string };

/** Processes: looking at them, starting them, signalling them (always by pid or group id, never by name). */
export interface Proc {
	readonly pid: number;
	readonly ppid: number;
	readonly uid: number;
	/** Absolute path of the running bun. */
	readonly execPath: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly hostname: string;
	/** /proc/sys/kernel/random/boot_id or `unknown`. */
	bootId(): string;
	/** readlink of /proc/self/ns/pid or `unknown`. */
	pidNamespace(): string;
	/** Clock ticks a second (100 on Linux) and boot time, epoch seconds; null when unreadable. */
	ticksPerSecond(): number;
	bootTime(): number | null;
	/** Signal 0: `true` also when the process exists but belongs to another user. */
	alive(pid: number): boolean;
	stat(pid: number): Looked<ProcStat>;
	/** All processes visible in /proc; `unknown` when the table cannot be read. */
	table(): Looked<readonly ProcStat[]>;
	/** argv slots. */
	argv(pid: number): Looked<readonly string[]>;
	environ(pid: number): Looked<Readonly<Record<string, string>>>;
	/** Target of /proc/<pid>/exe with ` (deleted)` stripped. */
	exe(pid: number): Looked<string>;
	cwd(pid: number): Looked<string>;
	/** `pid` < 0 addresses the group. `gone` when there is no such process. */
	signal(
		pid: number,
		sig: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGCONT" | "SIGSTOP",
	): "sent" | "gone" | "refused";
	exec(argv: readonly string[], opts: ExecOptions): Promise<ExecResult>;
	/** Hands our terminal (the standard streams) to a program until it ends; its exit code, or null when it could not be started. */
	foreground(argv: readonly string[]): Promise<number | null>;
	/** New session (setsid), stdin null, no inherited descriptors but the log. */
	spawnDetached(
		s: SpawnDetached,
	):
		| { readonly kind: "ok"; readonly pid: number }
		| { readonly kind: "failed"; readonly reason: string };
	/** Absolute path of a program on PATH, or null. */
	which(program: string): string | null;
}

/** Identity of a tmux server: ids (`@N`, `%N`) are valid for one server only (contract 00 C1). */
export interface TmuxServer {
	readonly pid: number;
	readonly startTime: number;
}
/** One row of `list-panes -a`. */
export interface PaneRow {
	readonly sessionId: string;
	readonly session: string;
	readonly windowId: string;
	readonly windowIndex: number;
	readonly paneId: string;
	readonly paneIndex: number;
	readonly windowActive: boolean;
	readonly paneActive: boolean;
	/** The literal flag: only `"1"` is dead, anything but `0`/`1` is undecided. */
	readonly paneDead: string;
	readonly panePid: number | null;
	readonly width: number;
	readonly height: number;
	readonly cursorX: number;
	readonly cursorY: number;
	readonly bell: boolean;
	readonly server: TmuxServer;
	readonly windowName: string;
}
export type TmuxFailure =
	| { readonly kind: "no-tmux" }
	/** tmux ran and refused, or answered what cannot be believed. */
	| { readonly kind: "failed"; readonly rc: number; readonly stderr: string }
	| { readonly kind: "hung" }
	| { readonly kind: "aborted" };
export type TmuxResult =
	| { readonly kind: "ok"; readonly stdout: string }
	| TmuxFailure;
export type PaneRows =
	| { readonly kind: "ok"; readonly rows: readonly PaneRow[] }
	| TmuxFailure;
/** What one client's captures gave: text per pane id; a pane missing from the map could not be captured. */
export type Captures =
	| { readonly kind: "ok"; readonly text: ReadonlyMap<string, string> }
	| TmuxFailure;

/** A tmux command as data; `_sys/tmux.ts` holds the one argv builder and runner. */
export type TmuxCommand =
	| {
			readonly kind: "send-keys";
			readonly target: string;
			readonly keys: readonly string[];
	  }
	| {
			readonly kind: "load-buffer";
			readonly buffer: string;
			readonly path: string;
	  }
	| {
			readonly kind: "paste-buffer";
			readonly buffer: string;
			readonly target: string;
	  }
	| { readonly kind: "delete-buffer"; readonly buffer: string }
	| {
			readonly kind: "rename-window";
			readonly target: string;
			readonly name: string;
	  }
	| { readonly kind: "kill-window"; readonly target: string }
	| {
			readonly kind: "select-window";
			readonly target: string;
			/** Only this session (`$N`) turns to the window; without it tmux picks one that shows it. */
			readonly session?: string;
	  }
	| {
			readonly kind: "new-session";
			readonly name: string;
			readonly cwd?: string;
			/** Group with this session (`-t`). */
			readonly groupWith?: string;
			readonly windowName?: string;
			readonly width?: number;
			readonly height?: number;
			readonly env?: Readonly<Record<string, string>>;
			readonly command?: readonly string[];
	  }
	| { readonly kind: "kill-session"; readonly target: string }
	| {
			readonly kind: "new-window";
			readonly session: string;
			readonly name: string;
			readonly cwd?: string;
			readonly command: readonly string[];
			readonly env?: Readonly<Record<string, string>>;
	  }
	| {
			readonly kind: "set-option";
			readonly scope: "server" | "session" | "window";
			readonly target?: string;
			readonly name: string;
			readonly value: string;
	  }
	| { readonly kind: "has-session"; readonly name: string };

/** tmux. Sockets come from the environment (`TMUX`, `TMUX_TMPDIR`), never from `-L` (contract 00 R9). Every call has its own limit. */
export interface Tmux {
	/** Runs one command; targets are ids only (`@N`, `%N`, `$N`), never bare names. */
	run(cmd: TmuxCommand, signal?: AbortSignal): Promise<TmuxResult>;
	/** All panes of the server. Zero rows with rc 0 is `failed` ("could not look", R3). No server running is `failed`. */
	panes(signal?: AbortSignal): Promise<PaneRows>;
	/** `capture-pane -p -e -N` of each pane in ONE client (`source-file -`). */
	captureAll(
		paneIds: readonly string[],
		signal?: AbortSignal,
	): Promise<Captures>;
	/** One `capture-pane`; `escapes` = `-e -N` (a look), else plain text with `-J`. `history` = `-S -<n>`. */
	capture(
		paneId: string,
		opts: { readonly escapes: boolean; readonly history?: number },
		signal?: AbortSignal,
	): Promise<TmuxResult>;
	/** `list-panes -t <id>`: does the id exist on this server? `failed`→"unknown" only when tmux itself could not be asked. */
	exists(id: string, signal?: AbortSignal): Promise<"yes" | "no" | "unknown">;
}

/** A held flock. It ends with `release`, or with the process. */
export interface HeldLock {
	readonly path: string;
	/** Empties the file in place and writes `text`: the holder's metadata. */
	write(text: string): WriteResult;
	read(): ReadResult;
	/** Idempotent. The file stays: removing it would split the lock in two. */
	release(): void;
}
/** `held` carries the file's text, for messages only. `cannot-open`: there is no guard; warn and decide. */
export type LockAttempt =
	| { readonly kind: "acquired"; readonly lock: HeldLock }
	| { readonly kind: "held"; readonly text: string }
	| { readonly kind: "cannot-open"; readonly reason: string };
export type LockProbe =
	| { readonly kind: "free" }
	| { readonly kind: "held"; readonly text: string }
	| { readonly kind: "cannot-open"; readonly reason: string };

/** flock(2) on close-on-exec descriptors: no started program holds one (contract 01 §2.4). */
export interface Locks {
	/** Is it held now? An absent file is `free` and is not created. */
	probe(path: string): LockProbe;
	/** One non-blocking try; creates the file (0640), never truncates it. */
	hold(path: string): LockAttempt;
	/** Tries until `ms` have passed or `signal` aborts; then `held`. */
	acquireWithin(
		path: string,
		ms: number,
		signal?: AbortSignal,
	): Promise<LockAttempt>;
}

export interface Log {
	/** One line `[<ISO>] <msg>` to stderr (the launcher's redirect is the single writer of watcher.log). */
	info(msg: string): void;
	warn(msg: string): void;
}

export interface Random {
	/** Lower-case hex, `n` characters. */
	hex(n: number): string;
	uuid(): string;
	/** In [0, 1). */
	float(): number;
}

/** GitHub's door arrives with its part; a part that does not need it does not see it. */
export interface Doors {
	readonly clock: Clock;
	readonly files: Files;
	readonly tmux: Tmux;
	readonly proc: Proc;
	readonly locks: Locks;
	readonly log: Log;
	readonly random: Random;
}
