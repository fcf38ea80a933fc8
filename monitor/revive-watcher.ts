#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Revives a dead watcher (contract 01 §16.3). Exit: 0 nothing to do or revived, 3 revived too often, 4 disk, 5 it is alive, else svc's. */
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { revive } from "./watcher/_revive.ts";

const doors = realDoors({ logPrefix: "revive" });
const settings = await readSettings(doors, CODE_ROOT, true);
process.exitCode = await revive(doors, settings, (line) =>
	process.stdout.write(`${line}\n`),
);
