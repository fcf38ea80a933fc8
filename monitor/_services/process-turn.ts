/**
 * One look at the process table at a time, whoever looks. `pgrep -f web` finds every command line that holds `web`, and
 * so that of another `pgrep -f web`: two checks side by side, or the cockpit's beside the watcher's, read a dead service
 * as up.
 */
import { join } from "node:path";
import { supervisorDir } from "../_state/supervisor-record.ts";
import type { Doors, LockAttempt } from "../_sys/doors.ts";

/** Longer than such a look takes; one that hangs must not hold up the others. */
const PATIENCE_MS = 1500;
const POLL_MS = 10;

/** Runs `look` in its turn, when the command asks for processes by their words; any other at once. */
export async function inTurn<T>(
	doors: Pick<Doors, "locks" | "clock">,
	stateDir: string,
	command: string,
	look: () => Promise<T>,
): Promise<T> {
	const turn = asksForProcesses(command) ? await take(doors, stateDir) : null;
	try {
		return await look();
	} finally {
		if (turn?.kind === "acquired") turn.lock.release();
	}
}

/** Pure. A script that does so within cannot be told. */
export function asksForProcesses(command: string): boolean {
	return /(?:^|[\s;&|(!`/])(?:pgrep|pidof|ps)(?:\s|$)/.test(command);
}

/** Without a folder or a disk for the lock it goes without. */
async function take(
	{ locks, clock }: Pick<Doors, "locks" | "clock">,
	stateDir: string,
): Promise<LockAttempt> {
	// No service has an empty name.
	const path = join(supervisorDir(stateDir), ".lock");
	for (let waited = 0; ; waited += POLL_MS) {
		const got = locks.hold(path);
		if (got.kind !== "held" || waited >= PATIENCE_MS) return got;
		await clock.sleep(POLL_MS);
	}
}
