#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Says whether a comment, issue or pull request was written by the bot (contract 02 §14). */
import { assertBotAuthor } from "./_assert-bot-author/run.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

process.exitCode = await assertBotAuthor(process.argv.slice(2), {
	doors: realDoors({ logPrefix: "assert-bot-author" }),
	codeRoot: CODE_ROOT,
	out: (line) => void process.stdout.write(`${line}\n`),
	err: complain,
});
