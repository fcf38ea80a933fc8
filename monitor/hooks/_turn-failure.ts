/** The marker of a turn that crashed, which looks like a finished one on the screen (contract 08 §2.8). */
import { textAt } from "../_state/json-object.ts";
import { writeTurnFailure } from "../_state/turn-failure.ts";
import { errorMessage, errorType, judgeFailedTurn } from "./_failed-turn.ts";
import type { HookAnswer, HookCall } from "./_io.ts";
import { stampPlace, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

/** StopFailure. */
export async function markTurnFailure(
	call: HookCall,
): Promise<HookAnswer | undefined> {
	const { payload, files, clock } = call;
	const turn = payload === null ? null : judgeFailedTurn(payload);
	if (payload === null || turn?.kind !== "crash") return;
	const place = await stampPlace(call, WORKER_OR_ORCHESTRATOR);
	if (place === null) return;
	const { stateDir, window } = place;
	const done = writeTurnFailure(files, stateDir, window, {
		at: clock.now(),
		error: errorType(payload),
		category: turn.cause.category,
		recovery: turn.cause.recovery,
		message: errorMessage(payload),
		sessionId: textAt(payload, "session_id"),
	});
	if (done.kind === "failed")
		return { stderr: `turn-failure-emit: ${done.reason}` };
}
