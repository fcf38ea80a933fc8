/**
 * A lock that is a file or a folder only one can make. A holder that died leaves it, so one that is too old is taken
 * away; the disk's time says how old it is.
 */
import type { Clock, EverydayFiles, WriteResult } from "../_sys/doors.ts";

export interface MadeLock {
	readonly path: string;
	/** Fails with EEXIST while somebody holds it. */
	readonly make: () => WriteResult;
	readonly drop: () => void;
	readonly tries: number;
	/** Between two tries. Counted, not timed: a clock that stands still ends the wait, too. */
	readonly waitMs: number;
	/** Its holder is dead when it was made this long ago, or as far ahead. */
	readonly corpseMs: number;
}
interface LockDoors {
	readonly files: Pick<EverydayFiles, "lstat">;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
}

/** Runs `act` under the lock; without it when it cannot be had in time, or the disk refuses it. */
export async function underMadeLock<T>(
	doors: LockDoors,
	lock: MadeLock,
	act: () => T,
): Promise<T> {
	const held = await take(doors, lock);
	try {
		return act();
	} finally {
		if (held) lock.drop();
	}
}

async function take(
	{ files, clock }: LockDoors,
	lock: MadeLock,
): Promise<boolean> {
	for (let n = 0; n < lock.tries; n++) {
		const made = lock.make();
		if (made.kind === "ok") return true;
		if (made.code !== "EEXIST") return false;
		const found = files.lstat(lock.path);
		const isCorpse =
			found.kind === "ok" &&
			Math.abs(clock.nowMs() - found.stat.mtimeMs) > lock.corpseMs;
		if (isCorpse) lock.drop();
		else await clock.sleep(lock.waitMs);
	}
	return false;
}
