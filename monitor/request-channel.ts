#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Requests of workers to the orchestrator; `ng request` (contract 08 §6). */
import { requestChannel } from "./_request/dispatch.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await requestChannel(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "request-channel" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	outBytes: (bytes) => void process.stdout.write(bytes),
	err: (text) => {
		for (const line of text.split("\n")) complain(`request-channel: ${line}`);
	},
	stdin: async () =>
		process.stdin.isTTY ? new Uint8Array() : Bun.stdin.bytes(),
});
