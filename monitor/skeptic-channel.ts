#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Questions of a reviewer to the worker whose work it looks at; `ng skeptic` (contract 08 §7). */
import { skepticChannel } from "./_skeptic/dispatch.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await skepticChannel(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "skeptic-channel" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: (text) => {
		for (const line of text.split("\n")) complain(`skeptic-channel: ${line}`);
	},
	stdin: async () => (process.stdin.isTTY ? "" : Bun.stdin.text()),
});
