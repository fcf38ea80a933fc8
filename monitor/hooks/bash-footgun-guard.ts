#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** PreToolUse: reminds of a shell habit that hurts, once (contract 08 §2.3). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { remindOfFootgun } from "./_footguns.ts";
import { runHook, SHORT } from "./_io.ts";

runHook(hookDoors(), remindOfFootgun, SHORT);
