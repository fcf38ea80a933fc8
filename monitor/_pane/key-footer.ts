/** The rows at a dialog's end, and the one that says which keys do what (contract 03 §8). */
import type { Row } from "./grid.ts";
import { phrases, type Range, textAt, unframed } from "./rows.ts";
import type { Screen } from "./screen.ts";
import { KEY_FOOTER, MODE_LINE } from "./screen-texts.ts";

/** A row among the last three, or in the last wrapped phrase, that says which keys do what. */
export function findFooter(screen: Screen, range: Range): number | null {
	const { rows } = screen.grid;
	const near = lastRows(rows, range, 3);
	const from = near.at(-1) ?? range.to;
	const wrapped = phrases(screen.grid, range).find((p) => p.to > from);
	const candidates = [wrapped?.from ?? from, ...near];
	const found = candidates.find((i) => {
		const text = unframed(textAt(rows, i));
		return i >= range.from && KEY_FOOTER.test(text) && !MODE_LINE.test(text);
	});
	return found ?? null;
}

/** The last `n` rows that are not blank, bottom up. */
export function lastRows(
	rows: readonly Row[],
	range: Range,
	n: number,
): readonly number[] {
	const found: number[] = [];
	for (let i = range.to - 1; i >= range.from && found.length < n; i--)
		if (textAt(rows, i).trim() !== "") found.push(i);
	return found;
}
