#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `ng`: the agents' command (contract 05). Started by `monitor/ng`, which finds bun. */
import { dispatch } from "./_ng/dispatch.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import { NG_VERBS } from "./ng-verbs.ts";

/** Every line of a diagnostic says whose it is, so that none can pass for a result. */
function err(text: string): void {
	for (const line of text.split("\n")) complain(`ng: ${line}`);
}

process.exitCode = await dispatch(process.argv.slice(2), NG_VERBS, {
	doors: realDoors({ logFront: "ng: " }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err,
	errPlain: complain,
	stdin: async () => (process.stdin.isTTY ? "" : Bun.stdin.text()),
	pacing: { kind: "command", retryMs: 1000 },
});
