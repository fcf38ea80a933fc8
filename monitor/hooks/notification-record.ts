#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Notification: keeps it for the tally and as evidence (contract 08 §2.5). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { recordNotification } from "./_notification.ts";

runHook(hookDoors(), recordNotification);
