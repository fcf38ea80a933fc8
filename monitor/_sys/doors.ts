/**
 * The doors: everything that touches the world comes in through one `Doors`
 * object, so that a duty runs the same on real parts and in a simulation.
 * Types only; the real doors are built by `real-doors.ts`, the fakes live in
 * `tests/fakes/`. No other module reads a clock, a disk, a process, tmux or
 * the network (architecture, rule 2).
 */

import type { Files, ReadResult, WriteResult } from "./doors-files.ts";
import type { Proc } from "./doors-proc.ts";
import type { Tmux } from "./doors-tmux.ts";

export type * from "./doors-files.ts";
export type * from "./doors-hook.ts";
export type * from "./doors-proc.ts";
export type * from "./doors-tmux.ts";

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

/** The network. Whoever asks sets the limit, with the signal of `init`. */
export interface Net {
	/**
	 * One exchange, as the platform's `fetch`, but a redirect is an answer (its status and `location`)
	 * and not followed: whoever asked decides where credentials may go. Rejects when no answer came.
	 */
	fetch(url: string, init: RequestInit): Promise<Response>;
}

export interface Doors {
	readonly clock: Clock;
	readonly files: Files;
	readonly tmux: Tmux;
	readonly proc: Proc;
	readonly locks: Locks;
	readonly log: Log;
	readonly random: Random;
	readonly net: Net;
}
