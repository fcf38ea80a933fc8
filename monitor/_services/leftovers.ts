/**
 * What a killed wrapper left running: the rest of the group that its record names (contract 06 §0, §6.2). It holds the
 * service's port, and a new one would fight for it.
 */
import { readRecord } from "../_state/supervisor-record.ts";
import type { Doors } from "../_sys/doors.ts";
import { membersOf } from "../_sys/process-group.ts";
import { type StopOutcome, stopGroup } from "./group-stop.ts";

/**
 * The group's number, or null when nothing of it lives or nobody can tell whose it is: recorded in this namespace, its
 * leader gone, and every member ours by user, by session and by the state dir in its environment. A pid is not given
 * away while a group bears its number.
 */
function leftoverGroup(
	{ files, proc }: Pick<Doors, "files" | "proc">,
	stateDir: string,
	name: string,
): number | null {
	const read = readRecord(files, stateDir, name);
	if (read.kind !== "ok") return null;
	const { pid, ns } = read.record;
	if (ns === null || ns !== proc.pidNamespace() || proc.alive(pid)) return null;
	const members = membersOf({ proc }, pid);
	if (members === null || members.length === 0) return null;
	const isOurs = members.every((p) => {
		const owner = proc.owner(p.pid);
		const env = proc.environ(p.pid);
		return (
			p.sid === pid &&
			owner.kind === "ok" &&
			owner.value === proc.uid &&
			env.kind === "ok" &&
			env.value.NEXUS_STATE_DIR === stateDir
		);
	});
	return isOurs ? pid : null;
}

/** Ends it. Null: there was nothing to end. */
export async function endLeftovers(
	doors: Pick<Doors, "files" | "proc" | "clock" | "log">,
	stateDir: string,
	name: string,
): Promise<StopOutcome | null> {
	const group = leftoverGroup(doors, stateDir, name);
	if (group === null) return null;
	doors.log.info(
		`${name}: its wrapper is gone; ending what is left of its process group ${group}`,
	);
	return stopGroup(doors, group);
}
