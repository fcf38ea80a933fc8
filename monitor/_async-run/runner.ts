/** The parent of an async run: runs it, and keeps the exit status that nobody else is there to see (contract 08 §4.2). */
import {
	readAsyncRun,
	writeAsyncRunPid,
	writeAsyncRunStatus,
} from "../_state/async-run.ts";
import type { Doors } from "../_sys/doors.ts";

/** As a shell has it for a program that cannot be started. */
const NOT_STARTED = 127;

/** Runs in a session of its own, its streams already those of the run. */
export async function runAsyncRun(
	{ files, clock, proc }: Pick<Doors, "files" | "clock" | "proc">,
	dir: string,
	err: (line: string) => void,
): Promise<void> {
	const own = proc.stat(proc.pid);
	if (own.kind === "ok")
		writeAsyncRunPid(files, dir, proc.pid, own.value.startTicks);
	const { argv } = readAsyncRun(files, dir);
	const rc = await proc.foreground(argv);
	if (rc === null) err(`async-run: could not start ${argv[0] ?? "(nothing)"}`);
	writeAsyncRunStatus(files, dir, rc ?? NOT_STARTED, clock.now());
}
