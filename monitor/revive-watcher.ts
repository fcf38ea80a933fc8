#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Brings a dead watcher back, and only a dead one (contract 01 §16.3). */
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { refuseArguments } from "./_sys/no-arguments.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { revive } from "./watcher/_revive.ts";

const USAGE = `usage: revive-watcher.ts
  Restarts a watcher that is down. Exit: 0 nothing to do or revived, 3 revived too often,
  4 the state dir takes no writes, 5 it is alive and was left alone, else that of svc restart.`;

async function main(): Promise<number> {
	const doors = realDoors({ logPrefix: "revive" });
	const settings = await readSettings(doors, CODE_ROOT, true);
	return revive(doors, settings, (line) => {
		process.stdout.write(`${line}\n`);
	});
}

process.exitCode =
	refuseArguments(process.argv.slice(2), USAGE) ?? (await main());
