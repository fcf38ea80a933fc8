#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Notification: a question becomes a pending decision (contract 08 §5.2). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { emitDecision } from "./_decision.ts";
import { runHook } from "./_io.ts";

runHook(hookDoors(), emitDecision);
