/** `--cancel`: ends a run of this session (contract 08 §4.2). By pid, and only when that is provably still the run. */
import {
	type AsyncRun,
	findAsyncRun,
	readAsyncRun,
	readAsyncRunStatus,
	writeAsyncRunCancelled,
} from "../_state/async-run.ts";
import { runProcess } from "../_state/async-run-verdict.ts";
import { membersOf } from "../_sys/process-group.ts";
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
	const process = look(tool, run);
	// Last, as its runner writes it before it goes.
	const status = run.status ?? readAsyncRunStatus(doors.files, dir);
	if (status !== null) {
		out(`async-run: ended already, rc=${status.rc}`);
		return RC.ok;
	}
	if (process === "unverifiable")
		return refuse(RC.unverifiable, "its pid cannot be told from another's");
	if (process === "gone") {
		// A mark now would make an end on request of a crash.
		out("async-run: gone already, without an exit status");
		return RC.ok;
	}
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

/** A job that has filled the disk must be stopped all the same. */
function mark(
	{ doors, session, err }: AsyncRunTool,
	dir: string,
	signalled: string,
): void {
	const marker = { by: session, at: doors.clock.now(), signalled };
	const done = writeAsyncRunCancelled(doors.files, dir, marker);
	if (done.kind === "failed")
		err(
			`async-run: that it is ended on request could not be noted (${done.reason}): its end will look like a crash`,
		);
}

/**
 * Signals the run's process group and waits; true when it is gone. SIGTERM waits for the program: its runner alone would
 * bear the signal, or die of it before it could keep a status, and the program would begin behind it.
 */
async function end(
	tool: AsyncRunTool,
	run: AsyncRun,
	signal: "SIGTERM" | "SIGKILL",
	limitMs: number,
): Promise<boolean> {
	const { timer, doors } = tool;
	const until = timer.monoMs() + limitMs;
	let isSent = false;
	for (let seen = look(tool, run); seen !== "gone"; seen = look(tool, run)) {
		const isReady = signal === "SIGKILL" || hasBegun(tool, run);
		if (!isSent && isReady && seen === "alive" && run.pid !== null) {
			doors.proc.signal(-run.pid, signal);
			isSent = true;
			continue;
		}
		if (timer.monoMs() >= until) return false;
		await timer.sleep(POLL_MS);
	}
	return true;
}

/** Is there somebody beside the runner? Yes, where nobody can look. */
function hasBegun({ doors }: AsyncRunTool, { pid }: AsyncRun): boolean {
	const members = pid === null ? null : membersOf(doors, pid);
	return members?.some((member) => member.pid !== pid) ?? true;
}
