/** Stop: the turn ended well, so the stamp of one that did not is over (contract 08 §2.9). */
import { isStampKind, stampPath } from "../_state/stamp-path.ts";
import type { HookCall } from "./_io.ts";
import { stampPlace, WORKER_OR_ORCHESTRATOR } from "./_stamp_path.ts";

/** `stamp-clear <kind>`. */
export async function clearStamp(call: HookCall): Promise<undefined> {
	const [kind = ""] = call.args;
	if (!isStampKind(kind)) return;
	const place = await stampPlace(call, WORKER_OR_ORCHESTRATOR);
	if (place !== null)
		call.files.remove(stampPath(place.stateDir, kind, place.window));
}
