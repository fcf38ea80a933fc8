/** Who asked for this start, and what came of it, in `watcher-spawns.log` (contract 01 §17). */
import { appendSpawnEvent } from "../../_state/watcher-spawns.ts";
import type { Doors } from "../../_sys/doors.ts";

export type Audit = (event: string) => void;

/** The caller is `WATCHER_LAUNCH_CALLER`, else the parent's command line. */
export function auditor(
	doors: Pick<Doors, "files" | "clock" | "proc">,
	stateDir: string,
): Audit {
	const { proc } = doors;
	const parent = proc.argv(proc.ppid);
	const caller =
		proc.env.WATCHER_LAUNCH_CALLER ||
		(parent.kind === "ok" ? parent.value.join(" ") : "?");
	return (event) =>
		appendSpawnEvent(doors, stateDir, { pid: proc.pid, caller, event });
}
