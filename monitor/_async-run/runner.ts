/** The parent of an async run: runs it, and keeps the exit status that nobody else is there to see (contract 08 §4.2). */
import {
	readAsyncRun,
	writeAsyncRunPid,
	writeAsyncRunStatus,
} from "../_state/async-run.ts";
import type { Doors } from "../_sys/doors.ts";

/** As a shell has it for a program that cannot be started. */
const NOT_STARTED = 127;

/** On a full disk the status waits for room, an hour at most: until then the run counts as running. */
const RETRY_MS = 10_000;
const RETRIES = 360;

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
	const endedAt = clock.now();
	for (let tried = 0; ; tried++) {
		const status = rc ?? NOT_STARTED;
		const kept = writeAsyncRunStatus(files, dir, status, endedAt);
		if (kept.kind === "ok" || files.stat(dir).kind === "absent") return;
		if (tried === 0) err(`async-run: rc=${status} not kept: ${kept.reason}`);
		if (tried === RETRIES) return;
		await clock.sleep(RETRY_MS);
	}
}
