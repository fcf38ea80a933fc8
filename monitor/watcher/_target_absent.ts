/** The target window is not there: what is done about it at this look (contract 04 §13). Pure; `_target_absent/handler.ts` does it. */
import type { RespawnVerdict } from "../_liveness/respawn-guard.ts";

export interface AbsenceState {
	/** Looks in a row that found it absent, each made by this process. */
	readonly streak: number;
	/** Epoch seconds of the first of them; 0 = none. */
	readonly since: number;
}

export const PRESENT: AbsenceState = { streak: 0, since: 0 };

export interface AbsenceFacts {
	/** Epoch seconds. */
	readonly now: number;
	/** `monitor.agent_missing_respawn_delay`: so many misses are only counted. */
	readonly confirmingPolls: number;
	/** Asked in this order, and only when the one before lets pass: each may leave a file and a notice behind. */
	readonly slowGrind: () => "open" | "paused";
	readonly crashLoop: () => RespawnVerdict;
	readonly inFlight: () => boolean;
}

export type AbsenceAction =
	| { readonly kind: "confirming" }
	/** Failures in a row: no respawn for a while. */
	| { readonly kind: "paused" }
	| { readonly kind: "blocked"; readonly reason: string }
	| { readonly kind: "deferred" }
	/** Verify that it is absent, then respawn. */
	| {
			readonly kind: "respawn";
			readonly since: number;
			readonly streak: number;
	  };

/** To be called only for an absent target: the streak grows with each call. */
export function onTargetAbsent(
	prev: AbsenceState,
	facts: AbsenceFacts,
): { readonly state: AbsenceState; readonly action: AbsenceAction } {
	const state = {
		streak: prev.streak + 1,
		since: prev.streak === 0 ? facts.now : prev.since,
	};
	return { state, action: actionFor(state, facts) };
}

function actionFor(
	{ streak, since }: AbsenceState,
	facts: AbsenceFacts,
): AbsenceAction {
	if (streak <= facts.confirmingPolls) return { kind: "confirming" };
	if (facts.slowGrind() === "paused") return { kind: "paused" };
	const loop = facts.crashLoop();
	if (loop.kind === "refused") return { kind: "blocked", reason: loop.reason };
	if (facts.inFlight()) return { kind: "deferred" };
	return { kind: "respawn", since, streak };
}
