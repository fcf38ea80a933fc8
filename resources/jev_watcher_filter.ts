#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `jev_watcher_filter`: asks a classifier whether anybody on a roster needs the watcher now (contract 09 §13). */
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { selfCheck } from "../monitor/_sys/self-check.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { runFilter } from "./_jev-filter/run.ts";

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const doors = realDoors({ logPrefix: "jev_watcher_filter" });
	const { exitCode, out, err } =
		check === null ? await runFilter(doors, argv) : { exitCode: 0, out: check };
	if (err !== undefined) complain(err);
	if (out !== undefined) process.stdout.write(`${out}\n`);
	process.exitCode = exitCode;
}
