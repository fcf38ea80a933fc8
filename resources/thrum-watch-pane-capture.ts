#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `thrum-watch-pane-capture`: one look at everybody on a watcher's roster (contract 09 §11). */
import { basename, join } from "node:path";
import { bareName, isWatcherName } from "../monitor/_state/fleet/names.ts";
import { CODE_ROOT, programName } from "../monitor/_sys/names.ts";
import { processEvents } from "../monitor/_sys/process-events.ts";
import { selfCheck } from "../monitor/_sys/self-check.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import {
	copyDoors,
	findCopyPlace,
	openCopyFleet,
} from "../monitor/fleet-copy-wiring.ts";
import { runLockedPass } from "./_pane-watch/locked.ts";

const USAGE =
	"usage: thrum-watch-pane-capture.ts (no arguments; AGENT_NAME, or the name of its folder, says who watches)";
const SOURCE = `ERROR: refused: this is the source; install a copy with ${programName("installKit")} pane-watch <T>/agents/<watcher>`;

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const { exitCode, out, err } =
		check === null ? await answer(argv) : { exitCode: 0, out: check };
	if (err !== undefined) complain(err);
	if (out !== undefined) process.stdout.write(`${out}\n`);
	process.exitCode = exitCode;
}

async function answer(argv: readonly string[]) {
	if (argv[0] === "-h" || argv[0] === "--help")
		return { exitCode: 0, out: USAGE };
	if (argv.length > 0) return { exitCode: 2, err: USAGE };
	// From here the way up leads to the checkout's own fleet, not to a watcher's.
	if (import.meta.dir === join(CODE_ROOT, "resources"))
		return { exitCode: 1, err: SOURCE };
	const doors = copyDoors("pane-watch");
	const watcher = bareName(
		doors.proc.env.AGENT_NAME || basename(import.meta.dir),
	);
	if (!isWatcherName(watcher))
		return { exitCode: 1, err: `ERROR: no watcher's name: ${watcher}` };
	const found = await findCopyPlace(doors, import.meta.dir);
	if (found.kind === "none") return { exitCode: 1, err: `ERROR: ${found.why}` };
	const { place } = found;
	return runLockedPass(
		{
			doors,
			watcher,
			thrumDir: place.thrumDir,
			open: () => openCopyFleet(doors, place),
		},
		processEvents(),
	);
}
