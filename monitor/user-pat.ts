#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `ng user-pat` as a program (contract 05 §6.2). */
import { dispatch } from "./_ng/dispatch.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import { NG_VERBS } from "./ng-verbs.ts";

const errPlain = complain;

process.exitCode = await dispatch(
	["user-pat", ...process.argv.slice(2)],
	NG_VERBS,
	{
		doors: realDoors({ logPrefix: "user-pat" }),
		codeRoot: CODE_ROOT,
		out: (line) => void process.stdout.write(`${line}\n`),
		err: (text) => {
			for (const line of text.split("\n")) errPlain(`user-pat: ${line}`);
		},
		errPlain,
		stdin: async () => "",
		pacing: { kind: "command", retryMs: 1000 },
	},
);
