/**
 * A lock for one read-modify-write of a small file (contract 08 §0): Claude Code may run all hooks of an event at once.
 * A file that only one can create, not a flock: loading libc would cost every tool call a third of a hook's time.
 */
import type { Clock, EverydayFiles } from "../_sys/doors.ts";
import { underMadeLock } from "./made-lock.ts";

type Doors = {
	readonly files: EverydayFiles;
	readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** 50 tries, 5 ms apart: 250 ms. */
const TRIES = 50;
const WAIT_MS = 5;
/** Longer than any hook lives: its holder was killed. */
const CORPSE_MS = 2500;

/**
 * Runs `act` under the lock at `path`, whose folder exists. When it cannot be had in time, or the disk refuses it, `act`
 * runs without: a late event is worth more than its place in the order.
 */
export function withBriefLock<T>(
	doors: Doors,
	path: string,
	act: () => T,
): Promise<T> {
	const { files } = doors;
	const lock = {
		path,
		make: () => files.writeNew(path, ""),
		drop: () => files.remove(path),
		tries: TRIES,
		waitMs: WAIT_MS,
		corpseMs: CORPSE_MS,
	};
	return underMadeLock(doors, lock, act);
}
