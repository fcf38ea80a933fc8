/** Ends one run of a job with everything it started (contract 09 §7.2). */
import type { Clock, Proc } from "../../_sys/doors.ts";
import { anyOf } from "../../_sys/end-processes.ts";
import { membersOf } from "../../_sys/process-group.ts";

const GRACE_MS = 5000;

/** SIGTERM to the group that `pid` leads, which the caller has seen; SIGKILL after five seconds to what is left of it. */
export function endRun(
	{ proc, clock }: { readonly proc: Proc; readonly clock: Clock },
	pid: number,
): void {
	const met = membersOf({ proc }, pid) ?? [];
	proc.signal(-pid, "SIGTERM");
	clock.after(GRACE_MS, () => {
		if (anyOf(met, membersOf({ proc }, pid))) proc.signal(-pid, "SIGKILL");
	});
}
