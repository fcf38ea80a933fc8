#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `capture_archive`: the archive of raw captures, by hand (contract 09 §12.3). */
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { selfCheck } from "../monitor/_sys/self-check.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { runArchive } from "./_capture-archive/run.ts";

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const doors = realDoors({ logPrefix: "capture_archive" });
	const { exitCode, out, err } =
		check === null ? runArchive(doors, argv) : { exitCode: 0, out: check };
	if (err !== undefined) complain(err);
	if (out !== undefined) process.stdout.write(`${out}\n`);
	process.exitCode = exitCode;
}
