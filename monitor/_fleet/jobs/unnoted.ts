/** Runs of which only the intention is on the disk: the scheduler died, or the disk was full, between the start and its note (contract 09 §7.2). */
import { basename } from "node:path";
import { NOT_YET, type RunningJob } from "../../_state/fleet/monitor-run.ts";
import type { Proc, ProcStat } from "../../_sys/doors.ts";
import { isCorpse } from "../../_sys/process-group.ts";

/**
 * The run with its pid and start time, found by its words among our sessions' leaders: each run leads one of its own.
 * As it is noted when that is whole, or when there is none: it never began, or is over. Null: could not look.
 */
export function identified(
	proc: Pick<Proc, "table" | "argv" | "owner" | "uid">,
	running: RunningJob,
	argv: readonly string[],
): RunningJob | null {
	if (running.pid !== NOT_YET) return running;
	const table = proc.table();
	if (table.kind !== "ok") return null;
	const found = table.value.find(
		(p) => p.sid === p.pid && !isCorpse(p) && runs(proc, p, argv),
	);
	if (found === undefined) return running;
	return { ...running, pid: found.pid, start: found.startTicks };
}

/** A script has its interpreter in front; a program that was looked for on PATH may stand there in full. */
function runs(
	proc: Pick<Proc, "argv" | "owner" | "uid">,
	{ pid }: ProcStat,
	argv: readonly string[],
): boolean {
	const looked = proc.argv(pid);
	if (looked.kind !== "ok") return false;
	const own = proc.owner(pid);
	if (own.kind !== "ok" || own.value !== proc.uid) return false;
	const [program = "", ...words] = argv;
	const [first = "", ...rest] = looked.value.slice(-argv.length);
	return (
		(first === program || basename(first) === program) &&
		rest.length === words.length &&
		rest.every((word, i) => word === words[i])
	);
}
