/** An idle pane that merely had nothing to say is no wedge: it may veto a replacement, a few times in a row (contract 04 §16). Pure. */
import type { LookResult } from "../../_pane/types.ts";
import type { Liveness } from "./decide.ts";

export type GuardVerdict =
	/** The verdict becomes healthy, the count goes up. */
	| "suppress"
	/** The pane looks idle and has looked so too often. */
	| "escalate"
	| "proceed";

/** `overrides`: vetoes so far; `max` 0 = without end. Only a passed deadline can be vetoed. */
export function idlePaneGuard(
	decided: Liveness,
	seen: LookResult | null,
	overrides: number,
	max: number,
): GuardVerdict {
	if (decided.word !== "respawn" || decided.reason !== "dead-threshold")
		return "proceed";
	const state = seen?.kind === "ok" ? seen.look.state : null;
	if (state !== "idle" && state !== "empty") return "proceed";
	return max > 0 && overrides >= max ? "escalate" : "suppress";
}

/**
 * Somebody types there, so its screen answers, and his text would go with its window (contract 00, typed text is sacred).
 * What we left in the box ourselves is no such text.
 */
export function isSomebodysDraft(
	seen: LookResult | null,
	hasLeftover: boolean,
): boolean {
	return (
		seen?.kind === "ok" && seen.look.state === "user-typing" && !hasLeftover
	);
}
