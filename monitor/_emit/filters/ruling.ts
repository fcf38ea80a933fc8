/** What a hop of the comment pipeline says of a block (contract 02 §10). Types only. */

export type Ruling =
	/** `stamp`: what is remembered once the block was delivered. */
	| { readonly kind: "keep"; readonly stamp: Stamp | null }
	| {
			readonly kind: "drop";
			/** Another view carries it right now, and nobody knows yet whether it arrives. */
			readonly claimed: boolean;
	  };

export type Stamp =
	/** Hop 7: a comment of another repository, whatever its text. */
	| { readonly of: "mention"; readonly stem: string }
	/** Hop 8. `name`: the surface, or the kind of an alert without one. */
	| {
			readonly of: "alert";
			readonly name: string;
			readonly kind: string;
			readonly sha: string;
	  }
	/** Hop 9. */
	| {
			readonly of: "comment";
			readonly stem: string;
			readonly bodySha: string;
	  };

/** A stamp, and whether it is on disk or a claim of a view that has not ended. */
export type Known<T> = T & { readonly claimed: boolean };

export const KEEP: Ruling = { kind: "keep", stamp: null };
export const DROP: Ruling = { kind: "drop", claimed: false };

/** Passes, and is stamped once the report with it was delivered. */
export function keepWith(stamp: Stamp): Ruling {
	return { kind: "keep", stamp };
}
