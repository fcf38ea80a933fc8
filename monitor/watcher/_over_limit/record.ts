/** What one sighting of a usage limit does to its row (contract 04 §9.3). Pure; epoch seconds. */
import { type LimitRow, limitKey } from "../../_state/over-limit-state.ts";
import { resetInstant } from "../../_state/reset-token.ts";

export interface LimitSighting {
	readonly window: string;
	readonly role: LimitRow["role"];
	/** Reset words, `_` for blanks, or `unknown`. */
	readonly token: string;
}

export interface RecordFacts {
	readonly now: number;
	/** When this pane was last seen to go on after a limit; null: never. */
	readonly resumedAt: number | null;
	readonly wakeMarginSeconds: number;
	readonly resumeSuppressionSeconds: number;
}

/** `suppressed`: an old notice of a limit that is over. */
export type Recorded =
	| { readonly kind: "suppressed" }
	| {
			readonly kind: "row";
			readonly row: LimitRow;
			readonly isNew: boolean;
	  };

/**
 * The same words keep what was worked out from them first: they carry no date, and worked out anew
 * each minute they once moved the wake a whole day forward at the moment it came due.
 */
export function recordLimit(
	prev: LimitRow | null,
	seen: LimitSighting,
	f: RecordFacts,
): Recorded {
	const { now, resumedAt } = f;
	const isSettled =
		resumedAt !== null &&
		resumedAt <= now &&
		now - resumedAt <= f.resumeSuppressionSeconds;
	if (prev === null && isSettled) return { kind: "suppressed" };
	if (prev !== null && prev.token === seen.token)
		return { kind: "row", row: healed(prev, f), isNew: false };
	const resetAt = instantOf(seen.token, now);
	const wakeAt = resetAt + f.wakeMarginSeconds;
	const row: LimitRow = {
		...seen,
		key: limitKey(seen.window, seen.role),
		resetAt,
		firstSeen: prev?.firstSeen ?? now,
		nextAttempt: wakeAt > now ? wakeAt : now + f.wakeMarginSeconds,
		attempts: prev?.attempts ?? 0,
	};
	return { kind: "row", row, isNew: prev === null };
}

/** The instant of the words, or a guess. */
function instantOf(token: string, now: number): number {
	const reset = resetInstant(token, now);
	return reset.kind === "known" ? reset.at : reset.guess;
}

/** A row that was rolled forward goes back to what its words meant when they were first seen. */
function healed(
	row: LimitRow,
	{ now, wakeMarginSeconds }: RecordFacts,
): LimitRow {
	const resetAt = instantOf(row.token, row.firstSeen);
	if (resetAt === row.resetAt) return row;
	const wakeAt = resetAt + wakeMarginSeconds;
	const nextAttempt =
		wakeAt > now ? Math.min(row.nextAttempt, wakeAt) : row.nextAttempt;
	return { ...row, resetAt, nextAttempt };
}
