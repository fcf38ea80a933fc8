/** The one automatic correction of a configuration (contract 07 §6.5). */

export interface DeadThreshold {
	readonly seconds: number;
	/** `cannot-clamp`: the gap between two pastes is as long as the deadline, and the ceiling is in the way. */
	readonly verdict: "as-given" | "clamped" | "cannot-clamp";
}

/**
 * On a still workspace the only paste is the full-state heartbeat; a deadline shorter than the gap
 * between two of them once respawned a healthy idle orchestrator. All in seconds.
 */
export function effectiveDeadThreshold(
	dead: number,
	heartbeatGap: number,
	interval: number,
	margin: number,
	ceiling: number,
): DeadThreshold {
	const gap = heartbeatGap + interval;
	if (gap < dead) return { seconds: dead, verdict: "as-given" };
	if (gap + margin < ceiling)
		return { seconds: gap + margin, verdict: "clamped" };
	return { seconds: dead, verdict: "cannot-clamp" };
}

/** Longest time between two heartbeat pastes: the emits that the safety floor, never stretched, lets pass. */
export function heartbeatGap(
	emitInterval: number,
	safetyFloor: number,
): number {
	if (emitInterval <= 0 || safetyFloor <= emitInterval) return emitInterval;
	return Math.ceil(safetyFloor / emitInterval) * emitInterval;
}
