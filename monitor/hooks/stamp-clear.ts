#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Stop: `stamp-clear <kind>` removes the stamp of a turn that failed (contract 08 §2.9). */
import { hookDoors } from "../_sys/hook-doors.ts";
import { runHook } from "./_io.ts";
import { clearStamp } from "./_stamp-clear.ts";

runHook(hookDoors(), clearStamp);
