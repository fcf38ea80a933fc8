#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `async-run`: starts a program that outlives the turn and keeps its exit status (contract 08 §4.2). */
import { asyncRun } from "./_async-run/cli.ts";
import { runAsyncRun } from "./_async-run/runner.ts";
import { readSettings } from "./_state/settings.ts";
import { realClock } from "./_sys/clock.ts";
import { CODE_ROOT, programArgv } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

/** How this program starts itself as the parent of a run. */
const RUNNER = "--runner";

const doors = realDoors();
const { env, execPath } = doors.proc;
const args = process.argv.slice(2);

if (args[0] === RUNNER) {
	// A cancel signals the whole group; who keeps the status must see the program end.
	process.on("SIGTERM", () => {});
	await runAsyncRun(doors, args[1] ?? "", complain);
} else {
	const { home } = await readSettings(doors, CODE_ROOT, true);
	process.exitCode = await asyncRun(args, {
		doors,
		timer: realClock({}),
		stateDir: home.stateDir,
		window: env.NEXUS_WORKER_WINDOW || null,
		session: env.CLAUDE_CODE_SESSION_ID ?? "",
		runnerArgv: (dir) => programArgv(execPath, "asyncRun", [RUNNER, dir]),
		cwd: process.cwd(),
		out: console.log,
		err: complain,
	});
}
