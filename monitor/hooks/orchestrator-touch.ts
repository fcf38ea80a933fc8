#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** `orchestrator-touch heartbeat|paste-received`: the orchestrator lives (contract 08 §2.11). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { touchOrchestrator } from "./_orchestrator-touch.ts";

runHook(hookDoors(), touchOrchestrator);
