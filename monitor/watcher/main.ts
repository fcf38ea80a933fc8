#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/**
 * The watcher (contract 01 §2). The launcher starts it; by hand: `main.ts [--target <window>] [--once]`.
 * Exits: 0 ended in order, 1 cannot start, 2 bad flag value, 3 watcher lock held, 4 instance lock held.
 */
import { CODE_ROOT } from "../_sys/names.ts";
import { processEvents } from "../_sys/process-events.ts";
import { realDoors } from "../_sys/real-doors.ts";
import { USAGE } from "./_startup/args.ts";
import { runWatcher } from "./run.ts";

const argv = process.argv.slice(2);
if (argv.includes("--help") || argv.includes("-h")) {
	console.log(USAGE);
	process.exit(0);
}
const doors = realDoors();
const events = processEvents();
events.keepAlive();
const world = { doors, events, codeRoot: CODE_ROOT };
events.exit(await runWatcher(world, argv).catch(crashed));

/** A bug, not an expected failure: those are refusals. The supervisor starts another watcher. */
function crashed(error: unknown): number {
	const text = error instanceof Error ? error.stack : String(error);
	doors.log.warn(`the watcher crashed: ${text}`);
	return 1;
}
