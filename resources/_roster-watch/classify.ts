/** Is a member that no capture reached alive all the same? (contract 09 §12.2). Pure. */
import type { Member } from "../../monitor/_fleet/fleet.ts";
import { parseIso } from "../../monitor/_state/fleet/time.ts";

/** A five-minute window failed healthy agents between two passes. */
const FRESH_SECONDS = 899;

/** Its recorded process, looked at on its own host. */
export type PidLook = "runs" | "gone" | "unknown";
/** What speaks for it; null: nothing. */
export type Proof = "pid" | "last-seen" | null;

/** The daemon's words for "I may not, or cannot, look"; then a failed capture says nothing about the agent. */
export function isBindingTrouble(text: string): boolean {
	return /local agent not found|lacks required capability|empty.*binding|proxy.*capability|capability.*denied|peer.*unreachable|circuit open|dial skipped/i.test(
		text,
	);
}

/** `now`: epoch seconds. */
export function liveProof(
	member: Member | null,
	now: number,
	pid: PidLook,
): Proof {
	if (member === null) return null;
	const { state = "", lastSeen, sessionId, inboxTotal = 0 } = member;
	if (state !== "" && state !== "alive") return null;
	if (pid === "runs") return "pid";
	const seen = parseIso(lastSeen);
	if (seen === null) return null;
	// Clocks of two machines differ: a little ahead is now.
	const isFresh = Math.abs(now - Math.floor(seen / 1000)) <= FRESH_SECONDS;
	const isSomebody = !!sessionId || inboxTotal > 0;
	return isFresh && isSomebody ? "last-seen" : null;
}

/** `degraded`: the fleet's words speak of the way there, not of the agent, and something proves that it lives. */
export function classifyBothFailed(
	primaryText: string,
	proof: Proof,
): "degraded" | "failed" {
	return isBindingTrouble(primaryText) && proof !== null
		? "degraded"
		: "failed";
}

/** The line in the capture file in place of its picture. */
export function bothFailedLine(
	agent: string,
	kind: "degraded" | "failed",
	proof: Proof,
): string {
	if (kind === "failed")
		return `--- CAPTURE FAILED for ${agent} (nonzero exit — NOT an empty pane) ---`;
	const why =
		proof === "pid"
			? "its recorded process runs"
			: "seen within the last 15 minutes";
	return `--- DEGRADED-KNOWN for ${agent}: no capture, but ${why} ---`;
}
