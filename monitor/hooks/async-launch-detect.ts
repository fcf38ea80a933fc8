#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** PostToolUse: records what was started to outlive the turn (contract 08 §2.4). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook, SHORT } from "./_io.ts";
import { recordLaunch } from "./_launches.ts";

runHook(hookDoors(), recordLaunch, SHORT);
