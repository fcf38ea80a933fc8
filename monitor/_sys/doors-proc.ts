/** The processes' door. Types only. */

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
	/** Each piece of output as it arrives, for a program that a person watches. */
	readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
	/** Standard error goes to a file instead of a pipe, which a grandchild could hold open. Nothing of it in `onOutput`. */
	readonly stderrToFile?: boolean;
	/** It is killed, with its group, when our own process ends (by anything but SIGKILL); default: it runs on. */
	readonly endsWithUs?: boolean;
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
	/** A file of its own for standard error; default: the log. */
	readonly errLog?: string;
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
/** A TCP socket that listens. */
export interface Listener {
	readonly port: number;
	/** Bound to `127.*` or `[::1]`: nobody outside reaches it. */
	readonly loopback: boolean;
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
	/** Signal 0: `true` also when the process exists but belongs to another user. A zombie is dead: where pid 1 reaps nothing it would stand for ever. */
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
	/** User id it runs as. */
	owner(pid: number): Looked<number>;
	listeners(): Looked<readonly Listener[]>;
	/** `pid` < 0 addresses the group. `gone` when there is no such process. */
	signal(
		pid: number,
		sig: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGCONT" | "SIGSTOP",
	): "sent" | "gone" | "refused";
	exec(argv: readonly string[], opts: ExecOptions): Promise<ExecResult>;
	/** Hands our terminal (the standard streams) to a program until it ends; its exit code, or null when it could not be started. */
	foreground(argv: readonly string[]): Promise<number | null>;
	/** New session (setsid), stdin null, no inherited descriptors but the log. */
	spawnDetached(s: SpawnDetached):
		| {
				readonly kind: "ok";
				readonly pid: number;
				/** Exit code, 128 + number for a signal; for a caller that is still there. */
				readonly exited: Promise<number>;
		  }
		| { readonly kind: "failed"; readonly reason: string };
	/** Absolute path of a program on PATH, or null. */
	which(program: string): string | null;
}
