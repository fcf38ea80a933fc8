#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** PreToolUse, and PostToolUse with `--clear`: the tool in flight (contract 08 §2.1). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { recordPendingTool } from "./_pending-tool.ts";

runHook(hookDoors(), recordPendingTool);
