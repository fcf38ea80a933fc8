/** Does a resumed session get a first prompt of its own (contract 08 §8.6)? Pure. */
import type { ResumeRequest } from "./args.ts";

export interface Nudge {
	readonly on: boolean;
	readonly reason: string;
}

/** `reason` goes to the log as it is. */
export function decideNudge(
	wish: ResumeRequest["nudge"],
	/** State of the heartbeat; null = there is none. */
	heartbeat: string | null,
	/** A tool was in flight when it ended. */
	pendingTool: boolean,
): Nudge {
	if (wish === "on") return { on: true, reason: "forced" };
	if (wish === "off") return { on: false, reason: "suppressed" };
	const said = { reason: `heartbeat-${heartbeat ?? "absent"}` };
	// A person was being asked: nobody answers in his place.
	if (heartbeat === "permission_prompt") return { on: false, ...said };
	if (heartbeat === "busy" || heartbeat === "user_prompt")
		return { on: true, ...said };
	return pendingTool
		? { on: true, reason: "pending-tool" }
		: { on: false, ...said };
}

/** What it says. */
export const NUDGE_TEXT =
	"Your session was interrupted and has been resumed; its history is whole. What was running when it ended may be gone or half done: look at the state of your workdir and of your jobs first, then go on with your task from where you were.";
