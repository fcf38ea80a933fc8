#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `_tmux-window {id|index|validate} <name>`: a window's name to its id or index (contract 04 §4.1). */
import type { PaneRows } from "./_sys/doors.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import {
	type Lookup,
	lookupExitCode,
	resolveWindowId,
	resolveWindowIndex,
	validateWindowName,
} from "./_sys/tmux-lookup.ts";

const USAGE = "usage: _tmux-window {id|index|validate} <name>";
/** An unknown verb, by the convention of sysexits. */
const EX_USAGE = 64;

process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
	const [verb = "", name = ""] = argv;
	switch (verb) {
		case "id":
			return find(name, resolveWindowId);
		case "index":
			return find(name, resolveWindowIndex);
		case "validate":
			return validate(name);
		case "-h":
		case "--help":
			console.log(USAGE);
			return 0;
		default:
			complain(USAGE);
			return EX_USAGE;
	}
}

async function find(
	name: string,
	resolve: (rows: PaneRows, name: string) => Lookup<string | number>,
): Promise<number> {
	const found = resolve(await realDoors().tmux.panes(), name);
	if (found.kind === "present") console.log(found.value);
	if (found.kind === "cannot-ask") complain("no window name was given");
	if (found.kind === "could-not-look") complain(found.why);
	return lookupExitCode(found);
}

function validate(name: string): number {
	const reason = validateWindowName(name);
	if (reason === null) return 0;
	complain(reason);
	return 2;
}
