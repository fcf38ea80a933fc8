#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Stop: marks the decisions of the turn that ended (contract 08 §5.2). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { markDecisions } from "./_decision.ts";
import { runHook } from "./_io.ts";

runHook(hookDoors(), markDecisions);
