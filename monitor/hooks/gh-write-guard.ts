#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** PreToolUse: warns of a GitHub write in the operator's name (contract 08 §2.2). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { guardGhWrite } from "./_gh-write.ts";
import { runHook, SHORT } from "./_io.ts";

runHook(hookDoors(), guardGhWrite, SHORT);
