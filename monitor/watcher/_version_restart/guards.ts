/** What is done about a component that runs older code (contract 06 §9.4). Pure. */
import {
	decideSelfRestart,
	type RestartGuardFacts,
	type RestartGuardLimits,
} from "../../_state/restart-guard.ts";
import { ageSeconds } from "../../_sys/age.ts";

export type DriftAction =
	/** Tried again at the next tick. */
	| { readonly kind: "later"; readonly why: string }
	/** Told to the orchestrator; `adopt`: what is on the disk counts as running from now on. */
	| {
			readonly kind: "ask";
			readonly note: string;
			/** What is asked for, when it is not the new hash. */
			readonly word?: string;
			readonly adopt: boolean;
	  }
	/** `clear`: an old trip of the loop guard has served its time. */
	| { readonly kind: "restart"; readonly clear: boolean };

/** Seconds; epoch seconds, null = never. A stamp from the future does not hold anything up for ever. */
export interface Cooldown {
	readonly now: number;
	readonly lastRestartAt: number | null;
	readonly cooldownSeconds: number;
}

/** Null: none is on. */
export function coolingDown(c: Cooldown): DriftAction | null {
	const age = ageSeconds(c.now, c.lastRestartAt, c.cooldownSeconds);
	return age !== null && age < c.cooldownSeconds
		? {
				kind: "later",
				why: `restarted less than ${c.cooldownSeconds}s ago`,
			}
		: null;
}

/** The watcher itself. A guard that trips asks for a person and restarts nothing for the rest of its window. */
export function decideWatcher(
	facts: RestartGuardFacts,
	limits: RestartGuardLimits,
): DriftAction {
	const cooling = coolingDown({
		...facts,
		cooldownSeconds: limits.cooldownSeconds,
	});
	if (cooling !== null) return cooling;
	if (!limits.selfAllowed)
		return {
			kind: "ask",
			note: "monitor.version_restart.self is off",
			adopt: true,
		};
	const verdict = decideSelfRestart(facts, limits);
	switch (verdict.kind) {
		case "allowed":
			return { kind: "restart", clear: verdict.clear };
		case "refused":
			return { kind: "later", why: verdict.why };
		case "trip":
			return {
				kind: "ask",
				note: `${verdict.why}; it restarts itself no more for ${limits.loopWindowSeconds}s`,
				word: `guard-tripped-${facts.now}`,
				adopt: false,
			};
	}
}

/** A service whose supervisor is alive. */
export function decideService(
	cooldown: Cooldown,
	restartsAllowed: boolean,
): DriftAction {
	const cooling = coolingDown(cooldown);
	if (cooling !== null) return cooling;
	return restartsAllowed
		? { kind: "restart", clear: false }
		: {
				kind: "ask",
				note: "monitor.version_restart.services is off",
				adopt: true,
			};
}
