/** Starts a program that outlives the turn, and declares the wait for it (contract 08 §4.2). */
import {
	asyncRunDir,
	asyncRunErr,
	asyncRunOut,
	listAsyncRuns,
	readAsyncRun,
	writeAsyncRunPid,
	writeNewAsyncRun,
} from "../_state/async-run.ts";
import { lookAtRun } from "../_state/async-run-look.ts";
import { updateHeartbeat } from "../_state/heartbeat-update.ts";
import { addWait, seedHeartbeat } from "../_state/heartbeat-waits.ts";
import type { Files } from "../_sys/doors.ts";
import { type AsyncRunTool, RC, type Rc, runLook } from "./tool.ts";

export interface Launch {
	readonly argv: readonly string[];
	readonly desc: string;
	readonly cwd: string;
	/** Start it although the same command runs already. */
	readonly allowConcurrent: boolean;
}

/**
 * The same command of this window that still runs is a duplicate, unless `allowConcurrent`. What could not be written
 * down is not started.
 */
export async function launchAsyncRun(
	tool: AsyncRunTool,
	window: string,
	launch: Launch,
): Promise<Rc> {
	const { doors, stateDir, out, err } = tool;
	const { files, clock, proc, random } = doors;
	const where = files.stat(launch.cwd);
	if (where.kind !== "ok" || where.stat.kind !== "dir") {
		err(`async-run: no folder ${launch.cwd}`);
		return RC.usage;
	}
	const running = launch.allowConcurrent
		? null
		: findSame(tool, window, launch);
	if (running !== null) {
		out(`async-run: already running token=${running}`);
		return RC.duplicate;
	}
	const token = `ar-${random.hex(12)}`;
	const dir = asyncRunDir(stateDir, window, token);
	const written = writeNewAsyncRun(files, dir, {
		argv: launch.argv,
		desc: launch.desc,
		cwd: launch.cwd,
		window,
		startedAt: clock.now(),
		session: tool.session,
	});
	if (written.kind === "failed") return gaveUp(tool, dir, written.reason);
	const started = proc.spawnDetached({
		argv: tool.runnerArgv(dir),
		cwd: launch.cwd,
		env: definedOnly(proc.env),
		log: asyncRunOut(dir),
		errLog: asyncRunErr(dir),
	});
	if (started.kind === "failed") return gaveUp(tool, dir, started.reason);
	notePid(tool, files, dir, started.pid);
	// First, and a line of its own: whatever cuts the output, the token is in it.
	out(`async-run: launched token=${token}`);
	out(`output and exit status: ${dir}`);
	await declareWait(tool, window, token, launch.desc);
	return RC.ok;
}

/** The token of a live run of exactly these words, or null. */
function findSame(
	tool: AsyncRunTool,
	window: string,
	{ argv }: Launch,
): string | null {
	const { stateDir } = tool;
	const look = runLook(tool);
	const isSame = (token: string) => {
		const dir = asyncRunDir(stateDir, window, token);
		const run = readAsyncRun(look.files, dir);
		return (
			run.argv.length === argv.length &&
			run.argv.every((word, i) => word === argv[i]) &&
			lookAtRun(look, dir).word === "running"
		);
	};
	return listAsyncRuns(look.files, stateDir, window).find(isSame) ?? null;
}

function gaveUp({ doors, err }: AsyncRunTool, dir: string, why: string): Rc {
	doors.files.removeTree(dir);
	err(`async-run: could not be started: ${why}`);
	return RC.launchFailed;
}

/** The runner does the same with its own pid; until it does, a look must find one. */
function notePid(
	{ doors }: AsyncRunTool,
	files: Files,
	dir: string,
	pid: number,
): void {
	const stat = doors.proc.stat(pid);
	if (stat.kind === "ok")
		writeAsyncRunPid(files, dir, pid, stat.value.startTicks);
}

async function declareWait(
	{ doors, timer, stateDir, err }: AsyncRunTool,
	window: string,
	token: string,
	desc: string,
): Promise<void> {
	const { files, clock } = doors;
	const wait = { kind: "asyncrun", id: token };
	const done = await updateHeartbeat(
		{ files, clock: timer },
		stateDir,
		window,
		(prior) =>
			addWait(
				prior ?? seedHeartbeat(window, clock.now()),
				desc === "" ? wait : { ...wait, desc },
			),
	);
	if (done.kind === "failed")
		err(
			`async-run: it runs, but the wait for it could not be declared (${done.reason}); say: declare-wait asyncrun ${token}`,
		);
}

function definedOnly(
	env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(env).filter(
			(e): e is [string, string] => e[1] !== undefined,
		),
	);
}
