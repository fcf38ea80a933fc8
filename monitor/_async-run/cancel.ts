/** `--cancel`: ends a run of this session (contract 08 §4.2). By pid, and only when that is provably still the run. */
import {
	type AsyncRun,
	findAsyncRun,
	readAsyncRun,
	writeAsyncRunCancelled,
} from "../_state/async-run.ts";
import { runProcess } from "../_state/async-run-verdict.ts";
import { type AsyncRunTool, RC, type Rc } from "./tool.ts";

const TERM_MS = 10_000;
const KILL_MS = 2000;
const POLL_MS = 100;

/**
 * SIGTERM, then SIGKILL, each with its wait; exit codes as in contract 08 §4.2. The mark is on disk before the
 * signal.
 */
export async function cancelAsyncRun(
	tool: AsyncRunTool,
	token: string,
): Promise<Rc> {
	const { doors, stateDir, window, session, out, err } = tool;
	const refuse = (rc: Rc, why: string): Rc => {
		err(`async-run: ${why}`);
		return rc;
	};
	const dir = findAsyncRun(doors.files, stateDir, window, token);
	if (dir === null) return refuse(RC.noToken, `no run ${token}`);
	const run = readAsyncRun(doors.files, dir);
	if (run.session === "" || session === "")
		return refuse(RC.ownerUnknown, "whose run this is cannot be told");
	if (run.session !== session)
		return refuse(RC.otherOwner, `session ${run.session} started this run`);
	if (run.status !== null) {
		out(`async-run: ended already, rc=${run.status.rc}`);
		return RC.ok;
	}
	const process = look(tool, run);
	if (process === "unverifiable")
		return refuse(RC.unverifiable, "its pid cannot be told from another's");
	// Before the signal: whoever looks in between must not take its end for a crash.
	mark(tool, dir, "TERM");
	if (await end(tool, run, "SIGTERM", TERM_MS)) return RC.ok;
	mark(tool, dir, "TERM,KILL");
	if (await end(tool, run, "SIGKILL", KILL_MS)) return RC.ok;
	return refuse(RC.stillAlive, `pid ${run.pid} is still alive`);
}

function look({ doors }: AsyncRunTool, run: AsyncRun) {
	return run.pid === null
		? "unverifiable"
		: runProcess(run, doors.proc.stat(run.pid));
}

function mark(
	{ doors, session }: AsyncRunTool,
	dir: string,
	signalled: string,
): void {
	const at = doors.clock.now();
	writeAsyncRunCancelled(doors.files, dir, { by: session, at, signalled });
}

/** Signals the run's process group and waits; true when it is gone. */
async function end(
	tool: AsyncRunTool,
	run: AsyncRun,
	signal: "SIGTERM" | "SIGKILL",
	limitMs: number,
): Promise<boolean> {
	const { timer, doors } = tool;
	if (look(tool, run) === "alive" && run.pid !== null)
		doors.proc.signal(-run.pid, signal);
	const until = timer.monoMs() + limitMs;
	while (look(tool, run) !== "gone") {
		if (timer.monoMs() >= until) return false;
		await timer.sleep(POLL_MS);
	}
	return true;
}
