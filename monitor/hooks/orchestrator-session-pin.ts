#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** UserPromptSubmit of the orchestrator: its session id and its window's name (contract 08 §2.10). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { pinOrchestrator } from "./_orchestrator-pin.ts";

runHook(hookDoors(), pinOrchestrator);
