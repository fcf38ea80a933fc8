#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Waits for a healthy stack, at most `monitor.boot_verify_timeout` seconds: exit 0 healthy, 1 not (contract 01 §18). */
import { readSettings } from "../_state/settings.ts";
import { CODE_ROOT } from "../_sys/names.ts";
import { realDoors } from "../_sys/real-doors.ts";
import { verifyStack } from "./_verify_stack.ts";

const doors = realDoors({ logPrefix: "verify-stack" });
const settings = await readSettings(doors, CODE_ROOT, true);
const { healthy, verdict } = await verifyStack(doors, settings);
doors.log.info(`watcher ${verdict.state}: ${verdict.reason}`);
process.exitCode = healthy ? 0 : 1;
