/** Ends a watcher's process group, once it has proven to be ours (contract 01 §2.3). */
import type { Doors } from "../_sys/doors.ts";
import { endProcesses } from "../_sys/end-processes.ts";
import { membersOf } from "../_sys/process-group.ts";
import { checkWatcher, type WatcherIdentity } from "./watcher-process.ts";

/**
 * `empty` = nothing was there. `unverified` = no member could be proven ours, nothing was signalled.
 * `survivors` = still there after KILL. `refused` = a group that must never be signalled, or no process table.
 */
export type ReapOutcome =
	| { readonly kind: "empty" }
	| { readonly kind: "reaped" }
	| { readonly kind: "unverified" }
	| { readonly kind: "survivors"; readonly pids: readonly number[] }
	| { readonly kind: "refused"; readonly reason: string };

/** Short, because a restart is an outage for as long as it takes. */
const POLL_MS = 100;
const KILL_WAIT_MS = 5000;

/**
 * TERM to the group, up to `waitSeconds` for it to be EMPTY (a leader's exit leaves orphans behind), then KILL and
 * five seconds more.
 */
export async function reapGroup(
	doors: Pick<Doors, "proc" | "files" | "clock">,
	pgid: number,
	waitSeconds: number,
	identity: WatcherIdentity,
): Promise<ReapOutcome> {
	if (pgid <= 1) return refused(`group ${pgid} is never signalled`);
	const members = membersOf(doors, pgid);
	if (members === null) return refused("the process table cannot be read");
	if (members.length === 0) return { kind: "empty" };
	if (members.some((p) => p.pid === doors.proc.pid))
		return refused(`group ${pgid} is our own`);
	if (!members.some((p) => checkWatcher(doors, p.pid, identity) === "live"))
		return { kind: "unverified" };

	const end = await endProcesses(doors, {
		target: -pgid,
		met: members,
		look: () => membersOf(doors, pgid),
		pollMs: POLL_MS,
		termMs: waitSeconds * 1000,
		killMs: KILL_WAIT_MS,
	});
	return end.kind === "ended" ? { kind: "reaped" } : end;
}

function refused(reason: string): ReapOutcome {
	return { kind: "refused", reason };
}
