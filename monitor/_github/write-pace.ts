/**
 * Spaces writes by need (contract 02 §2.2): GitHub takes some 80 a minute from one App. The agents of a nexus are one
 * App and many processes, so the pace is kept on disk: a single verb never waits, twenty that end at once do.
 */
import {
	gitHubWritesLockPath,
	readWritesPaid,
	writeWritesPaid,
} from "../_state/github-writes.ts";
import type { Doors } from "../_sys/doors.ts";

/** Steady pace. */
const EACH_MS = 1000;
/** As many may go at once after a rest. With the steady pace: 80 in the first minute. */
const BURST = 20;
/** No write waits longer: whoever is that late meets GitHub's own limit, which is a pause for all. */
const LONGEST_MS = 60_000;
const LOCK_MS = 2000;

export interface WriteTurn {
	readonly waitMs: number;
	/** Epoch milliseconds. */
	readonly paidAtMs: number;
}

/** Pure. `paidAtMs`: when all writes so far are paid for; each one costs `EACH_MS`. Both in epoch milliseconds. */
export function decideWrite(paidAtMs: number | null, nowMs: number): WriteTurn {
	const credit = BURST * EACH_MS;
	const latest = nowMs + credit + LONGEST_MS;
	// Farther ahead than a turn can be: the clock went back, and the file says nothing.
	const known = paidAtMs === null || paidAtMs > latest ? nowMs : paidAtMs;
	const paid = Math.min(Math.max(known, nowMs) + EACH_MS, latest);
	return { waitMs: Math.max(0, paid - credit - nowMs), paidAtMs: paid };
}

/** Takes a turn, and waits for it. Without the lock or the file the write goes at once. */
export async function awaitWriteTurn(
	doors: Pick<Doors, "clock" | "files" | "locks" | "log">,
	stateDir: string,
	signal?: AbortSignal,
): Promise<void> {
	const { clock, files, locks } = doors;
	const path = gitHubWritesLockPath(stateDir);
	const lock = await locks.acquireWithin(path, LOCK_MS, signal);
	const turn = decideWrite(readWritesPaid(doors, stateDir), clock.nowMs());
	writeWritesPaid(files, stateDir, turn.paidAtMs);
	if (lock.kind === "acquired") lock.lock.release();
	if (turn.waitMs > 0) await clock.sleep(turn.waitMs, signal);
}
