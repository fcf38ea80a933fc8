/** Reads a run's files and asks for its process: the verdict as of now (contract 08 §4.2). */
import type { Files, Looked, ProcStat } from "../_sys/doors.ts";
import { findAsyncRun, readAsyncRun, readAsyncRunStatus } from "./async-run.ts";
import {
	NO_SUCH_RUN,
	type RunVerdict,
	runProcess,
	runVerdict,
} from "./async-run-verdict.ts";

export interface RunLook {
	readonly files: Files;
	readonly statOf: (pid: number) => Looked<ProcStat>;
}

/** Asks the process table once; a run that ends meanwhile is judged by the status it left. */
export function lookAtRun({ files, statOf }: RunLook, dir: string): RunVerdict {
	const run = readAsyncRun(files, dir);
	const stat: Looked<ProcStat> =
		run.pid === null ? { kind: "unknown", reason: "no pid" } : statOf(run.pid);
	// Again, and last: a process writes its status before it goes.
	const status = readAsyncRunStatus(files, dir);
	return runVerdict(run, runProcess(run, stat), status);
}

/** Wherever the token's folder is; `window` is looked at first. */
export function lookAtToken(
	look: RunLook,
	stateDir: string,
	window: string | null,
	token: string,
): RunVerdict {
	const dir = findAsyncRun(look.files, stateDir, window, token);
	return dir === null ? NO_SUCH_RUN : lookAtRun(look, dir);
}
