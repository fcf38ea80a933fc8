/**
 * Which rows are news (contract 03 §12.6). The memory of what was told forgets at a sweep and learns at a delivery, so a
 * row that nobody received is staged again by every sweep. Pure.
 */
import type { IdleRow } from "../../_emit/idle-rows.ts";
import type { ToldRow } from "../../_state/idle-state.ts";
import type { OperatorMark } from "../../_state/operator-engaged.ts";
import { ageSeconds } from "../../_sys/age.ts";

export interface Diff {
	/** To be staged. */
	readonly emit: readonly IdleRow[];
	/** What of the told stands on. */
	readonly keep: readonly ToldRow[];
}

/** `carried` holds on to what was told of a window that has no such row now. */
export function diffRows(
	current: readonly IdleRow[],
	told: readonly ToldRow[],
	carried: (told: ToldRow) => boolean,
): Diff {
	const retained = current.filter(isRetained);
	const single = current.filter((row) => !isRetained(row));
	const knows = (row: IdleRow) => told.some((t) => isSame(t, row));
	const news = single.filter((row) => !knows(row));
	return {
		emit: sameRetained(retained, told) ? news : [...news, ...retained],
		keep: told.filter((t) =>
			t.class === "retained"
				? // One unit: as long as its change is not told, the whole of it stays as it was told.
					retained.length > 0 || carried(t)
				: single.some((row) => isSame(t, row)) || carried(t),
		),
	};
}

/** What was told, after a delivery that showed these rows. */
export function learnRows(
	told: readonly ToldRow[],
	shown: readonly IdleRow[],
): readonly ToldRow[] {
	const rows = shown
		.filter((row) => row.class !== "engaged-close-reminder")
		.map(({ window, class: cls, askedAt }) => ({
			window,
			class: cls,
			askedAt,
		}));
	const tellsRetained = rows.some(isRetained);
	const kept = told.filter(
		(t) =>
			!(tellsRetained && isRetained(t)) && !rows.some((row) => isSame(t, row)),
	);
	return [...kept, ...rows];
}

/** The operator has been away from a window of his for long: a row for each that is due for it. */
export function closeReminders(
	current: readonly IdleRow[],
	markOf: (window: string) => OperatorMark,
	now: number,
	periodSeconds: number,
): readonly IdleRow[] {
	return current.flatMap((row) => {
		if (row.class !== "operator-engaged") return [];
		const { last, reminded } = markOf(row.window);
		const away = ageSeconds(now, last, periodSeconds) ?? 0;
		const since = ageSeconds(now, reminded || null, periodSeconds);
		const isDue =
			away >= periodSeconds && (since === null || since >= periodSeconds);
		return isDue
			? [
					{
						...row,
						class: "engaged-close-reminder" as const,
						ageSeconds: away,
					},
				]
			: [];
	});
}

/** Nothing new to say of the retained windows: none now, or the very set that was told. */
function sameRetained(
	retained: readonly IdleRow[],
	told: readonly ToldRow[],
): boolean {
	const now = new Set(retained.map((row) => row.window));
	const before = new Set(told.filter(isRetained).map((t) => t.window));
	return now.size === 0 || now.symmetricDifference(before).size === 0;
}

function isRetained(row: { readonly class: string }): boolean {
	return row.class === "retained";
}

/** A second question is news although the agent stood still before the first one; where nobody says when, it is taken for the same. */
function isSame(a: ToldRow, b: ToldRow): boolean {
	const sameQuestion =
		a.askedAt === b.askedAt || a.askedAt === null || b.askedAt === null;
	return a.window === b.window && a.class === b.class && sameQuestion;
}
