/** The one call into libc. glibc only: a musl system is reported, not guessed at (contract 00 R9). */
import { dlopen, FFIType, read } from "bun:ffi";

export type FlockAnswer =
	| "locked"
	| "busy"
	| { readonly kind: "unsupported"; readonly reason: string };

const LOCK_EX = 2;
const LOCK_NB = 4;
const LOCK_UN = 8;
const EINTR = 4;
const EWOULDBLOCK = 11;

const SYMBOLS = {
	flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
	__errno_location: { args: [], returns: FFIType.ptr },
} as const;

let libc: ReturnType<typeof dlopen<typeof SYMBOLS>> | null = null;

/** Takes an exclusive lock on `fd` without waiting. It ends with the last descriptor of this opening. */
export function flockNow(fd: number): FlockAnswer {
	try {
		libc ??= dlopen("libc.so.6", SYMBOLS);
		for (;;) {
			if (libc.symbols.flock(fd, LOCK_EX | LOCK_NB) === 0) return "locked";
			const where = libc.symbols.__errno_location();
			const errno = where === null ? 0 : read.i32(where, 0);
			if (errno === EWOULDBLOCK) return "busy";
			if (errno !== EINTR)
				return { kind: "unsupported", reason: `flock failed, errno ${errno}` };
		}
	} catch (e) {
		return {
			kind: "unsupported",
			reason: `flock is not to be had from libc.so.6: ${String(e)}`,
		};
	}
}

/**
 * Gives up a lock that `flockNow` took. Closing is not enough: a child that is being started holds a copy of the
 * descriptor until it becomes its program, and with it the lock.
 */
export function unlock(fd: number): void {
	libc?.symbols.flock(fd, LOCK_UN);
}
