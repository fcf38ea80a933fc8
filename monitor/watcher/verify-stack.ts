#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Waits for a healthy stack after a start (contract 01 §18). */
import { readSettings } from "../_state/settings.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { refuseArguments } from "../_sys/no-arguments.ts";
import { realDoors } from "../_sys/real-doors.ts";
import { verifyStack } from "./_verify_stack.ts";

const USAGE = `usage: verify-stack.ts
  Waits until the watcher is well, at most monitor.boot_verify_timeout seconds: exit 0, else 1.`;

async function main(): Promise<number> {
	const doors = realDoors({ logPrefix: "verify-stack" });
	const settings = await readSettings(doors, CODE_ROOT, true);
	const { healthy, verdict } = await verifyStack(doors, settings);
	doors.log.info(`watcher ${verdict.state}: ${verdict.reason}`);
	return healthy ? 0 : 1;
}

process.exitCode =
	refuseArguments(process.argv.slice(2), USAGE) ?? (await main());
