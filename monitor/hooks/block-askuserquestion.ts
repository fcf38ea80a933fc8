#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** PreToolUse of AskUserQuestion, orchestrator only: always refused (contract 08 §2.12). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { refuseQuestion } from "./_block-question.ts";
import { runHook } from "./_io.ts";

runHook(hookDoors(), refuseQuestion);
