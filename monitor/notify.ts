#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `notify`: a push to the operator's phone or desktop; off until it is configured (contract 06 §15). */
import { runNotify } from "./_notify/run.ts";
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";

const doors = realDoors({ logPrefix: "notify" });

process.exitCode = await runNotify(process.argv.slice(2), {
	doors,
	settings: () => readSettings(doors, CODE_ROOT, true),
	out: (line) => void process.stdout.write(`${line}\n`),
	err: (line) => doors.log.warn(line),
});
