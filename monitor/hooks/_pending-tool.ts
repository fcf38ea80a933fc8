/** PreToolUse: which tool is in flight; PostToolUse with `--clear`: none any more (contract 08 §2.1). */
import {
	clearPendingTool,
	pendingRecord,
	writePendingTool,
} from "../_state/pending-tool.ts";
import type { HookAnswer, HookCall } from "./_io.ts";
import { envWindow, WORKER } from "./_stamp_path.ts";

/** Writes nothing for a window that is nobody's, nor for a payload that names no tool. */
export function recordPendingTool({
	payload,
	stateDir,
	env,
	args,
	files,
	clock,
}: HookCall): HookAnswer | undefined {
	const window = envWindow(env, WORKER);
	if (stateDir === null || window === null) return;
	const isClear = args[0] === "--clear";
	const record = payload && pendingRecord(payload, clock.nowMs() / 1000);
	if (!isClear && record === null) return;
	const done =
		record === null || isClear
			? clearPendingTool(files, stateDir, window)
			: writePendingTool(files, stateDir, window, record);
	if (done.kind === "failed")
		return { stderr: `pending-tool-record: ${done.reason}` };
}
