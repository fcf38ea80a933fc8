#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `pane-state`: says in one line what a tmux pane does right now (contract 03 §2). */
import { readerSettings } from "./_pane/settings.ts";
import { answerRequest } from "./_pane-state/answer.ts";
import { parseRequest } from "./_pane-state/request.ts";
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";

const request = parseRequest(process.argv.slice(2));
const answer = await answerRequest(request, readerDeps);
for (const line of answer.err) complain(line);
for (const line of answer.out) process.stdout.write(`${line}\n`);
process.exitCode = answer.code;

async function readerDeps() {
	const doors = realDoors({ logPrefix: "pane-state" });
	const { home, config } = await readSettings(doors, CODE_ROOT, true);
	const settings = readerSettings(config);
	return { doors, stateDir: home.stateDir, settings };
}
