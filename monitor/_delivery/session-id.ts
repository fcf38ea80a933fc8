/** Session id of a window's agent as our own files know it (contract 04 §5.2, 00 R6). */
import { readHeartbeat } from "../_state/heartbeat.ts";
import { readPin } from "../_state/orchestrator-session-id.ts";
import { readUserPrompt } from "../_state/user-prompt.ts";
import type { Files } from "../_sys/doors.ts";

/**
 * The pin (of the orchestrator's window alone), else the heartbeat, else the last submitted prompt.
 * Claude Code's live session file outranks them all, because a pin goes stale at `/clear`: a look
 * at the pane brings it.
 */
export function recordedSessionId(
	files: Files,
	stateDir: string,
	window: string,
	orchestratorWindow: string,
): string | null {
	const pin = window === orchestratorWindow ? readPin(files, stateDir) : null;
	return (
		pin ??
		readHeartbeat(files, stateDir, window)?.sessionId ??
		readUserPrompt(files, stateDir, window)?.sessionId ??
		null
	);
}
