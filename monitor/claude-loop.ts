#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `claude-loop`: runs claude in this window, and again while the window is retained (contract 04 §17). */
import { parseLoopArgs, USAGE } from "./_claude-loop/args.ts";
import { type LoopContext, runLoop } from "./_claude-loop/run.ts";
import { readSettings } from "./_state/settings.ts";
import { bearBrokenPipe } from "./_sys/broken-pipe.ts";
import { CLAUDE_LAUNCH_ENV } from "./_sys/claude-env.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { processEvents } from "./_sys/process-events.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

bearBrokenPipe();
const err = complain;

const request = parseLoopArgs(process.argv.slice(2));
switch (request.kind) {
	case "help":
		process.stdout.write(`${USAGE}\n`);
		break;
	case "refused":
		err(`claude-loop: ${request.message}`);
		err(USAGE);
		process.exitCode = 2;
		break;
	case "loop":
		process.exitCode = await runLoop(
			request,
			await contextOf(request.stateDir),
		);
}

async function contextOf(stateDir: string | null): Promise<LoopContext> {
	const events = processEvents();
	events.exportEnv(Object.fromEntries(CLAUDE_LAUNCH_ENV));
	const ending = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		events.onSignal(signal, () => ending.abort());
	const doors = realDoors({ logPrefix: "claude-loop" });
	const { home, config } = await readSettings(doors, CODE_ROOT, true);
	return {
		doors,
		err,
		codeRoot: CODE_ROOT,
		signal: ending.signal,
		stateDir: stateDir ?? home.stateDir,
		retainTtlSeconds: config["monitor.retain_ttl_seconds"],
	};
}
