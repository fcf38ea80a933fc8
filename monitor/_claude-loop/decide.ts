/** What comes after a run of claude ended (contract 04 §17). Pure; the order of the questions is the contract's. */
import { ageSeconds } from "../_sys/age.ts";

export interface LoopFacts {
	/** Somebody told the loop to end. */
	readonly signalled: boolean;
	/** The operator's flag was there. */
	readonly stopWished: boolean;
	/** Newest `window-retain` of this window, epoch seconds; null = none, or the log could not be read. */
	readonly retainedAt: number | null;
	readonly now: number;
	readonly retainTtlSeconds: number;
	/** Restarts so far. */
	readonly restarts: number;
	readonly maxRestarts: number;
	readonly backoffBaseSeconds: number;
}
export type LoopStep =
	| {
			readonly kind: "end";
			readonly rc: 0 | 10 | 11 | 12;
			readonly why: string;
	  }
	| { readonly kind: "restart"; readonly afterSeconds: number };

/** The wait grows with each restart; an end carries its exit code. */
export function decideLoop(f: LoopFacts): LoopStep {
	if (f.signalled) return end(12, "told to end by a signal");
	if (f.stopWished) return end(0, "stopped by the operator's flag");
	const ttl = f.retainTtlSeconds;
	const age = ageSeconds(f.now, f.retainedAt, ttl);
	if (age === null || age > ttl)
		return end(10, "the window is not retained (any more)");
	if (f.restarts >= f.maxRestarts)
		return end(11, `${f.restarts} restarts are enough`);
	return {
		kind: "restart",
		afterSeconds: f.backoffBaseSeconds * (f.restarts + 1),
	};
}

function end(rc: 0 | 10 | 11 | 12, why: string): LoopStep {
	return { kind: "end", rc, why };
}
