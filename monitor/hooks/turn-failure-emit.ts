#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** StopFailure: marks a turn that crashed (contract 08 §2.8). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { markTurnFailure } from "./_turn-failure.ts";

runHook(hookDoors(), markTurnFailure);
