#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `ng upload` as a program (contract 05 §11.1). */
import { dispatch } from "./_ng/dispatch.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import { NG_VERBS } from "./ng-verbs.ts";

const errPlain = complain;

process.exitCode = await dispatch(
	["upload", ...process.argv.slice(2)],
	NG_VERBS,
	{
		doors: realDoors({ logPrefix: "upload-asset" }),
		codeRoot: CODE_ROOT,
		out: (line) => void process.stdout.write(`${line}\n`),
		err: (text) => {
			for (const line of text.split("\n")) errPlain(`upload-asset: ${line}`);
		},
		errPlain,
		stdin: async () => "",
		pacing: { kind: "command", retryMs: 1000 },
	},
);
