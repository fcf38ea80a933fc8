/** Ends a service with everything it started (contract 06 §6.1). */
import type { Doors, ProcStat } from "../_sys/doors.ts";
import { endProcesses } from "../_sys/end-processes.ts";
import { membersOf } from "../_sys/process-group.ts";

/** `refused`: a pid that must not be signalled, or no process table to watch the end in; nothing was signalled. */
export type StopOutcome =
	| { readonly kind: "stopped" }
	| { readonly kind: "gone" }
	| { readonly kind: "survivors"; readonly pids: readonly number[] }
	| { readonly kind: "refused"; readonly reason: string };

const POLL_MS = 500;
const TERM_WAIT_MS = 5000;
const KILL_WAIT_MS = 2000;

/**
 * TERM to the group that `pid` leads, KILL after five seconds to what is left. `pid` comes from a record that was
 * verified just now. The wrapper and its children go together: done is when the group is EMPTY, not when its leader is
 * gone. A pid that leads no group (a record of old) is signalled alone: its group may be somebody's shell.
 */
export async function stopGroup(
	doors: Pick<Doors, "proc" | "clock">,
	pid: number,
): Promise<StopOutcome> {
	const { proc } = doors;
	if (!Number.isInteger(pid) || pid <= 1)
		return { kind: "refused", reason: `pid ${pid} is never signalled` };
	const first = targets(doors, pid);
	if (first === null)
		return { kind: "refused", reason: "the process table cannot be read" };
	if (first.length === 0) return { kind: "gone" };
	if (first.some((p) => p.pid === proc.pid))
		return { kind: "refused", reason: `group ${pid} is our own` };

	const leads = first.some((p) => p.pgid === pid);
	const end = await endProcesses(doors, {
		target: leads ? -pid : pid,
		met: first,
		look: () => targets(doors, pid),
		pollMs: POLL_MS,
		termMs: TERM_WAIT_MS,
		killMs: KILL_WAIT_MS,
	});
	return end.kind === "ended" ? { kind: "stopped" } : end;
}

/** The living members of the group, or the process alone when it leads none; null = could not look. */
function targets(
	doors: Pick<Doors, "proc">,
	pid: number,
): readonly ProcStat[] | null {
	const group = membersOf(doors, pid);
	if (group === null || group.length > 0) return group;
	const alone = doors.proc.stat(pid);
	return alone.kind === "ok" && doors.proc.alive(pid) ? [alone.value] : [];
}
