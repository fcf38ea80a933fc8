#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `retire-preflight`: may this window be killed (contract 08 §9.1)? Looks only. */
import { runRetirePreflight } from "./_retire/run.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await runRetirePreflight(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "retire-preflight" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: complain,
});
