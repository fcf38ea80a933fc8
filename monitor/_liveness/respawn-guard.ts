/** Guards against respawning in a circle (contract 01 §15, 04 §12). Pure; neither runs in a clock-gap grace. */

export type RespawnVerdict =
	| { readonly kind: "allowed" }
	/** Nothing is recorded then, so that a wedged loop cannot push old entries out of the window. */
	| { readonly kind: "refused"; readonly reason: string };

/** Burst guard: `history` are the epochs of recorded respawns. */
export function respawnAllowed(
	history: readonly number[],
	now: number,
	windowSeconds: number,
	limit: number,
): RespawnVerdict {
	const count = countWithin(history, now, windowSeconds);
	return count >= limit
		? {
				kind: "refused",
				reason: `crash-loop guard: ${count} respawns within ${windowSeconds}s (limit=${limit})`,
			}
		: { kind: "allowed" };
}

/** Entries of the last `windowSeconds`; one further ahead of now than the window does not count. */
export function countWithin(
	history: readonly number[],
	now: number,
	windowSeconds: number,
): number {
	return history.filter((at) => Math.abs(now - at) <= windowSeconds).length;
}

export interface SlowGrindFacts {
	readonly now: number;
	readonly consecutiveFailures: number;
	/** Epoch seconds of the tripped stamp, null when there is none. */
	readonly trippedAt: number | null;
	readonly limit: number;
	readonly cooldownSeconds: number;
}

/** `trip`: write the stamp and tell the operator once. `clear`: the pause is over, delete stamp and counter. */
export function slowGrind(
	f: SlowGrindFacts,
): "open" | "trip" | "paused" | "clear" {
	if (f.trippedAt !== null)
		return Math.abs(f.now - f.trippedAt) < f.cooldownSeconds
			? "paused"
			: "clear";
	return f.consecutiveFailures >= f.limit ? "trip" : "open";
}
