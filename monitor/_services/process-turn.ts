/**
 * One look at the process table at a time, whoever looks. `pgrep -f web` finds every command line that holds `web`, and
 * so that of another `pgrep -f web`: two checks side by side, or the cockpit's beside the watcher's, read a dead service
 * as up.
 */
import { join } from "node:path";
import { supervisorDir } from "../_state/supervisor-record.ts";
import type { Doors } from "../_sys/doors.ts";

/** Longer than such a look takes; one that hangs must not hold up the others. */
const PATIENCE_MS = 1500;

/** Runs `look` in its turn, when the command's text asks for processes by their words; any other at once. */
export async function inTurn<T>(
	{ locks }: Pick<Doors, "locks">,
	stateDir: string,
	command: string,
	look: () => Promise<T>,
): Promise<T> {
	// No service has an empty name. Without a folder or a disk for the lock it goes without.
	const path = join(supervisorDir(stateDir), ".lock");
	const turn = asksForProcesses(command)
		? await locks.acquireWithin(path, PATIENCE_MS)
		: null;
	try {
		return await look();
	} finally {
		if (turn?.kind === "acquired") turn.lock.release();
	}
}

/** Pure. What a program does within cannot be told. */
function asksForProcesses(command: string): boolean {
	return /(?:^|[\s;&|(!`/])(?:pgrep|pidof|ps)(?:\s|$)/.test(command);
}
