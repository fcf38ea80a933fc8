#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `./nexus <verb>`: the house's door for people. With no verb it is contract 01 §18's entry (00 R12). */
import { runNexus } from "./_nexus/verbs.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { realTmux } from "./_sys/tmux.ts";

const doors = realDoors();
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());

process.exit(
	await runNexus(process.argv.slice(2), {
		doors,
		codeRoot: CODE_ROOT,
		tmuxIn: (env) => realTmux(doors.proc, doors.random, { env }),
		interrupted: interrupted.signal,
		print: (line) => void process.stdout.write(`${line}\n`),
	}),
);
