#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** StopFailure: stamps the window of a session that hit its usage limit (contract 08 §2.7). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { stampOverLimit } from "./_over-limit.ts";

runHook(hookDoors(), stampOverLimit);
