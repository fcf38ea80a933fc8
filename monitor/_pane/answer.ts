/** What the ladder's rungs say. Types only. */
import type { BackgroundShells } from "./process.ts";
import type { PaneStateName } from "./types.ts";
import type { Witnesses, WitnessName } from "./witnesses.ts";

/** What a rung says when its condition holds. */
export interface Answer {
	readonly state: PaneStateName;
	readonly witness: WitnessName;
	/** One sentence or the row's text, for `--explain`. */
	readonly why: string;
	readonly overlay?: string;
	readonly limit?: Limit;
	readonly orphanKinds?: string;
	readonly shells?: BackgroundShells;
	/** Of `absent`. */
	readonly evidence?: string;
	/** Of `unknown`. */
	readonly reason?: string;
	readonly site?: string;
}
export interface Limit {
	readonly resetAt: string;
	readonly flavour: string;
	/** The original words, for a reset that the grammar does not know. */
	readonly words: string;
}
export interface Rung {
	readonly n: number;
	readonly rule: string;
	/** null: the condition does not hold. */
	readonly answer: (w: Witnesses) => Answer | null;
}
export interface Verdict {
	readonly rung: Rung;
	readonly answer: Answer;
}
