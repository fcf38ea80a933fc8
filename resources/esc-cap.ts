#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `esc-cap`: counts a watcher's escalations before they are sent (contract 09 §14.1). */
import { realDoors } from "../monitor/_sys/real-doors.ts";
import { selfCheck } from "../monitor/_sys/self-check.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { runCap } from "./_esc-cap/run.ts";

if (import.meta.main) {
	const argv = process.argv.slice(2);
	const check = selfCheck(argv, import.meta.path);
	const doors = realDoors({ logPrefix: "esc-cap" });
	const { exitCode, out, err } =
		check === null
			? await runCap(doors, argv, process.cwd())
			: { exitCode: 0, out: check };
	if (err !== undefined) complain(err);
	if (out !== undefined) process.stdout.write(`${out}\n`);
	process.exitCode = exitCode;
}
