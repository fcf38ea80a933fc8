/** The heartbeat of a worker's session, at every event of it (contract 08 §3). */
import { HEARTBEAT_TOKENS, nextHeartbeat } from "../_state/heartbeat-next.ts";
import { updateHeartbeat } from "../_state/heartbeat-update.ts";
import { textAt } from "../_state/json-object.ts";
import type { HookAnswer, HookCall, HookPayload } from "./_io.ts";
import { stampPlace, WORKER } from "./_stamp_path.ts";

/** `worker-heartbeat <token>`. */
export async function writeHeartbeat(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, args, files, clock, timer } = call;
	const token = HEARTBEAT_TOKENS.find((known) => known === args[0]);
	if (token === undefined || payload === null) return;
	const place = await stampPlace(call, WORKER);
	if (place === null) return;
	const { stateDir, window } = place;
	const now = clock.now();
	if (token === "user_prompt" && !isTaskNotice(payload)) {
		const { writeUserPrompt } = await import("../_state/user-prompt.ts");
		const sessionId = textAt(payload, "session_id");
		writeUserPrompt(files, stateDir, window, { at: now, sessionId });
	}
	const done = await updateHeartbeat(
		{ files, clock: timer },
		stateDir,
		window,
		(prior) => nextHeartbeat(prior, token, payload, window, now),
	);
	if (done.damagedAside === undefined) return;
	const { appendAlert } = await import("../_state/watcher-alerts.ts");
	const text = `heartbeat of ${window} is damaged; set aside as ${done.damagedAside}`;
	appendAlert({ files, clock }, stateDir, "WARN", text);
	return { stderr: `worker-heartbeat: ${text}` };
}

/** Claude Code submits a prompt of its own when a background task ends: nobody was there. */
function isTaskNotice(payload: HookPayload): boolean {
	return textAt(payload, "prompt")?.startsWith("<task-notification>") ?? false;
}
