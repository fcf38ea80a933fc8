#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Beats `watcher-heartbeat` while the watcher lives (contract 01 §3). Started by the watcher, never by hand. */
import { parseTickerArgs, runTicker } from "../_liveness/ticker.ts";
import { realClock } from "../_sys/clock.ts";
import { releaseCodePages } from "../_sys/code-pages.ts";
import { realFiles } from "../_sys/files.ts";
import { procStat } from "../_sys/proc-fs.ts";
import { complain } from "../_sys/stderr.ts";

const USAGE =
	"usage: heartbeat-ticker.ts <state-dir> <pid> <start-ticks> <tick-seconds> <target>";
const argv = process.argv.slice(2);
if (argv[0] === "--help" || argv[0] === "-h") {
	console.log(USAGE);
	process.exit(0);
}
const args = parseTickerArgs(argv);
if (args === null) {
	complain(USAGE);
	process.exit(1);
}
await runTicker(
	{
		clock: realClock(process.env),
		files: realFiles(),
		stat: procStat,
		trim: releaseCodePages,
	},
	args,
);
