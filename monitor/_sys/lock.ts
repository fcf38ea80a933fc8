/**
 * flock(2) through libc (contract 01 §2.4). The descriptors are close-on-exec, so that no started
 * program holds a lock of ours; the file is opened without truncation, so that a refused start does
 * not erase the holder's words; and it is never removed, because that would split the lock in two.
 */
import { closeSync, ftruncateSync, readFileSync, writeSync } from "node:fs";
import type {
	Clock,
	HeldLock,
	LockAttempt,
	LockProbe,
	Locks,
} from "./doors.ts";
import { errnoOf } from "./errno.ts";
import { flockNow, unlock } from "./flock.ts";
import { openRegular } from "./open-regular.ts";
import { LOG_MODE } from "./service-log.ts";

const POLL_MS = 100;

/**
 * `acquireWithin` polls, in ms on the monotonic clock, and answers what the last try did; it never waits inside
 * flock, which could not be aborted.
 */
export function realLocks(clock: Clock): Locks {
	return {
		probe: probeLock,
		hold: holdLock,
		acquireWithin: async (path, ms, signal) => {
			const end = clock.monoMs() + ms;
			for (;;) {
				const got = holdLock(path);
				const left = end - clock.monoMs();
				if (got.kind !== "held" || left <= 0) return got;
				const how = await clock.sleep(Math.min(POLL_MS, left), signal);
				if (how === "aborted") return got;
			}
		},
	};
}

/** Is it held now? An absent file is free, and is not created. */
function probeLock(path: string): LockProbe {
	const got = tryLock(path, "read");
	if (got.kind !== "locked") return isAbsence(got) ? { kind: "free" } : got;
	letGo(got.fd);
	return { kind: "free" };
}

/** One non-blocking try. */
export function holdLock(path: string): LockAttempt {
	const got = tryLock(path, "own");
	return got.kind === "locked"
		? { kind: "acquired", lock: heldLock(path, got.fd) }
		: got;
}

type Tried =
	| { readonly kind: "locked"; readonly fd: number }
	| { readonly kind: "held"; readonly text: string }
	| { readonly kind: "cannot-open"; readonly reason: string };

function tryLock(path: string, to: "read" | "own"): Tried {
	let fd: number;
	try {
		fd = openRegular(path, to, LOG_MODE);
	} catch (e) {
		return { kind: "cannot-open", reason: errnoOf(e) };
	}
	const answer = flockNow(fd);
	if (answer === "locked") return { kind: "locked", fd };
	closeSync(fd);
	return answer === "busy"
		? { kind: "held", text: readAll(path) }
		: { kind: "cannot-open", reason: answer.reason };
}

function isAbsence(got: Tried): boolean {
	return (
		got.kind === "cannot-open" &&
		(got.reason === "ENOENT" || got.reason === "ENOTDIR")
	);
}

function heldLock(path: string, fd: number): HeldLock {
	let open = true;
	return {
		path,
		write: (text) => {
			try {
				ftruncateSync(fd, 0);
				writeSync(fd, text);
				return { kind: "ok" };
			} catch (e) {
				const code = errnoOf(e);
				return { kind: "failed", code, reason: `${code}: ${path}` };
			}
		},
		read: () => {
			try {
				return { kind: "ok", text: readFileSync(path, "utf8") };
			} catch (e) {
				return { kind: "unreadable", reason: errnoOf(e) };
			}
		},
		release: () => {
			if (open) letGo(fd);
			open = false;
		},
	};
}

function letGo(fd: number): void {
	unlock(fd);
	closeSync(fd);
}

function readAll(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
