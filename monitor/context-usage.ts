#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `context-usage`: how full is a session's context (contract 08 §10)? */
import { runContextUsage } from "./_context-usage/run.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await runContextUsage(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "context-usage" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: complain,
});
