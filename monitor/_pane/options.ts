/** Option lists of dialogs, found by their shape (contract 03 §8, arm 5). */
import type { Row } from "./grid.ts";
import {
	bareText,
	isContinuation,
	type Range,
	textAt,
	unframed,
} from "./rows.ts";
import { MODE_LINE } from "./screen-texts.ts";

/** The row with the chevron of a select list. */
export interface Selected {
	readonly row: number;
	/** Column where the option's text (or its number) starts. */
	readonly column: number;
	/** Column behind a mark of the option in force (`❯ ✔ Auto`), else `column`. */
	readonly textColumn: number;
	readonly numbered: boolean;
}

/** Rows with `❯` and ASCII blanks before a text, top down. A no-break space there means an input box. */
export function selectedRows(
	rows: readonly Row[],
	range: Range,
): readonly Selected[] {
	const found: Selected[] = [];
	for (let i = range.from; i < range.to; i++) {
		const match = /^( *❯ +)([^ \u00a0].*)$/.exec(unframed(textAt(rows, i)));
		if (match?.[1] === undefined) continue;
		const text = match[2] ?? "";
		const column = match[1].length;
		const mark = /^[✔✓●◉○◯] +/.exec(text)?.[0].length ?? 0;
		const numbered = /^\d+\. /.test(text);
		found.push({ row: i, column, textColumn: column + mark, numbered });
	}
	return found;
}

/**
 * Another option in the same column, above or below; blank rows and deeper rows (an option's own
 * description) lie in between. Alignment, not numbering: one release dropped the numbers.
 */
export function hasNeighbour(
	rows: readonly Row[],
	selected: Selected,
	range: Range,
): boolean {
	return [-1, 1].some((step) => {
		for (
			let i = selected.row + step;
			i >= range.from && i < range.to;
			i += step
		) {
			const text = unframed(textAt(rows, i));
			const at = text.search(/\S/);
			const isOption = at === selected.column || at === selected.textColumn;
			if (isOption) return true;
			// A rule may part the last options from the others.
			if (at < 0 || at > selected.column || isLine(text)) continue;
			return false;
		}
		return false;
	});
}

/**
 * From the selected row to the end of the screen stands nothing of its own: options, what hangs under
 * them, a preview between drawn lines. A transcript or the rows under an input box would.
 */
export function nothingElseFollows(
	rows: readonly Row[],
	selected: Selected,
	range: Range,
): boolean {
	for (let i = selected.row + 1; i < range.to; i++) {
		const text = unframed(textAt(rows, i));
		if (MODE_LINE.test(text)) return false;
		if (!isContinuation(text) && !isLine(text)) return false;
	}
	return true;
}

/** First row at or after `from` whose bare text matches. */
export function findBare(
	rows: readonly Row[],
	pattern: RegExp,
	range: Range,
): number | null {
	for (let i = range.from; i < range.to; i++)
		if (pattern.test(bareText(textAt(rows, i)))) return i;
	return null;
}

function isLine(text: string): boolean {
	return /^ *[╭╰]?[─╌]+[╮╯]?$/.test(text);
}
