#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Prints a token of the configured GitHub App, or nothing (contract 02 §3). */
import { mintToken } from "./_mint-token/run.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await mintToken(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "mint-token" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: (text) => {
		for (const line of text.split("\n")) complain(`mint-token: ${line}`);
	},
});
