/** Runs that another scheduler left, or still looks after (contract 09 §7.2). */
import type { RunningJob } from "../../_state/fleet/monitor-run.ts";
import type { Clock, Proc } from "../../_sys/doors.ts";
import { endRun } from "./end-run.ts";

/** The caller asks only for runs that are not its own. `cared-for`: its scheduler lives and will take it up. `gone`: over, and nobody knows how. */
export type LeftRun = "running" | "cared-for" | "gone";

/** `cared-for`: its scheduler lives elsewhere. A pid counts only with its start time. */
export function lookAtLeft(
	proc: Pick<Proc, "stat" | "pid">,
	{ pid, start, scheduler }: RunningJob,
): LeftRun {
	const isOther = scheduler.pid !== proc.pid;
	if (isOther && isSame(proc, scheduler.pid, scheduler.start))
		return "cared-for";
	return isSame(proc, pid, start) ? "running" : "gone";
}

/** Over its time with nobody to end it. A process that cannot be looked at may be a stranger's by now. */
export function endIfOld(
	doors: { readonly proc: Proc; readonly clock: Clock },
	{ pid, start, startedAt }: RunningJob,
	limitSeconds: number,
): void {
	if (doors.clock.now() - startedAt <= limitSeconds) return;
	const found = doors.proc.stat(pid);
	if (found.kind === "ok" && found.value.startTicks === start)
		endRun(doors, pid);
}

/** What cannot be looked at counts as alive: a second run beside the first does more harm than a late one. */
function isSame(proc: Pick<Proc, "stat">, pid: number, start: string): boolean {
	if (pid <= 1) return false;
	const found = proc.stat(pid);
	if (found.kind === "absent") return false;
	return found.kind === "unknown" || found.value.startTicks === start;
}
