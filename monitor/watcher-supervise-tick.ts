#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** The command inside the orchestrator's supervisor Monitor (contract 01 §16.2). No flags. */
import { readSettings } from "./_state/settings.ts";
import { CODE_ROOT } from "./_sys/names.ts";
import { realDoors } from "./_sys/real-doors.ts";
import { superviseTick } from "./watcher/_supervise_tick.ts";

const doors = realDoors({ logPrefix: "supervise" });
const settings = await readSettings(doors, CODE_ROOT, true);
process.exitCode = await superviseTick(doors, settings, (text) =>
	process.stderr.write(`${text}\n`),
);
