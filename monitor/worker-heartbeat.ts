#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Every event of a worker's session: what it is at (contract 08 §3). */
import { hookDoors } from "./_sys/hook-doors.ts";
import { writeHeartbeat } from "./hooks/_heartbeat.ts";
import { runHook } from "./hooks/_io.ts";

runHook(hookDoors(), writeHeartbeat);
