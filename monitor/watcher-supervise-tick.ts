#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** The command inside the orchestrator's supervisor Monitor (contract 01 §16.2). */
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { refuseArguments } from "./_sys/no-arguments.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { complain } from "./_sys/stderr.ts";
import { superviseTick } from "./watcher/_supervise_tick.ts";

const USAGE = `usage: watcher-supervise-tick.ts
  One look at the watcher: exit 0 while it is well, 1 when it is down or wedged.`;

async function main(): Promise<number> {
	const doors = realDoors({ logPrefix: "supervise" });
	const settings = await readSettings(doors, CODE_ROOT, true);
	return superviseTick(doors, settings, (text) => {
		complain(text);
	});
}

process.exitCode =
	refuseArguments(process.argv.slice(2), USAGE) ?? (await main());
