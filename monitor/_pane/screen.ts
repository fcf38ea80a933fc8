/** The regions of a screen, found bottom up (contract 03 §6). Where a thing stands decides what it is. */
import type { Grid, Row } from "./grid.ts";
import {
	isContinuation,
	isFull,
	isRule,
	isSurvey,
	type Phrase,
	type Range,
	textAt,
} from "./rows.ts";
import {
	COMPOSER,
	MODE_COMPOSER,
	ROWS_ABOVE,
	TRANSCRIPT_START,
} from "./screen-texts.ts";

/** The input box. Row numbers count from the top of the screen. */
export interface Box {
	readonly row: number;
	/** Offset of the text after the chevron and its no-break space. */
	readonly textAt: number;
	/** Further rows of a draft of several lines. */
	readonly rest: Range;
	readonly upperRule: number | null;
	readonly lowerRule: number | null;
	readonly shellMode: boolean;
}
export interface Screen {
	readonly grid: Grid;
	/** null: no input box, as while a dialog stands in its place. */
	readonly box: Box | null;
	readonly status: Range;
	/** Logical rows between the transcript's last entry and the box: spinner, banner, hints, todo tree. */
	readonly live: readonly Phrase[];
	readonly transcript: Range;
	/** Where a dialog can stand: below the box, or anywhere when there is none. */
	readonly dialogArea: Range;
	/** A view that took the place of the box. */
	readonly panel: Range | null;
}

export function segment(grid: Grid): Screen {
	const { rows } = grid;
	const box = findBox(grid);
	const end = rows.length;
	const below = box === null ? 0 : (box.lowerRule ?? box.rest.to - 1) + 1;
	const top = box === null ? end : (box.upperRule ?? box.row);
	const liveFrom = topOfLive(rows, top);
	return {
		grid,
		box,
		status: { from: box === null ? end : below, to: end },
		live: logicalRows(grid, { from: liveFrom, to: top }),
		transcript: { from: 0, to: box === null ? end : box.row },
		dialogArea: { from: isLive(grid, box) ? end : below, to: end },
		panel: findPanel(grid, box === null ? -1 : below),
	};
}

/**
 * The last row that looks like an input box. When that row lies inside a framed box (a draft that
 * quotes a chevron), the frame's first row is meant.
 */
function findBox(grid: Grid): Box | null {
	const { rows } = grid;
	const last = rows.findLastIndex((_, i) => isBoxRow(grid, i));
	const scrolled = scrolledBox(grid);
	if (scrolled !== null && scrolled.row > last) return scrolled;
	if (last < 0) return null;
	let first = last;
	while (first > 0 && isContinuation(textAt(rows, first))) first--;
	const row =
		isRule(rows[first - 1], grid.width) && isBoxRow(grid, first) ? first : last;
	return boxAt(grid, row);
}

/**
 * A framed box with no rule below it is this pane's own, and what lies below is its status. A
 * dialog brings a rule of its own; a quoted box is indented and has no frame.
 */
function isLive(grid: Grid, box: Box | null): boolean {
	if (box === null || box.upperRule === null || box.lowerRule === null)
		return false;
	return !grid.rows
		.slice(box.lowerRule + 1)
		.some((row) => isRule(row, grid.width));
}

/** A draft taller than its box: the chevron is out of sight, and the upper rule counts the rows above. */
function scrolledBox(grid: Grid): Box | null {
	const { rows } = grid;
	const upper = rows.findLastIndex(
		(row) => ROWS_ABOVE.test(row.text) && isRule(row, grid.width),
	);
	if (upper < 0) return null;
	const box = boxAt(grid, upper + 1);
	const text = textAt(rows, box.row);
	return { ...box, textAt: text.length - text.trimStart().length };
}

function isBoxRow(grid: Grid, i: number): boolean {
	const text = textAt(grid.rows, i);
	if (COMPOSER.test(text)) return true;
	return MODE_COMPOSER.test(text) && isRule(grid.rows[i - 1], grid.width);
}

function boxAt(grid: Grid, row: number): Box {
	const { rows } = grid;
	let next = row + 1;
	while (next < rows.length && isContinuation(textAt(rows, next))) next++;
	const lowerRule = isRule(rows[next], grid.width) ? next : null;
	const text = textAt(rows, row);
	return {
		row,
		textAt: text.indexOf("\u00a0") + 1,
		rest: { from: row + 1, to: lowerRule ?? row + 1 },
		upperRule: isRule(rows[row - 1], grid.width) ? row - 1 : null,
		lowerRule,
		shellMode: MODE_COMPOSER.test(text),
	};
}

/**
 * Going up from the box, everything belongs to the live zone until an entry of the transcript
 * stands at column 0. Indented rows in between are that entry's, and logical rows leave them out.
 */
function topOfLive(rows: readonly Row[], bottom: number): number {
	for (let i = bottom - 1; i >= 0; i--)
		if (TRANSCRIPT_START.test(textAt(rows, i)) && !isSurvey(rows, i))
			return i + 1;
	return 0;
}

/** A column-0 row with its indented continuations up to a blank row. */
function logicalRows(grid: Grid, range: Range): readonly Phrase[] {
	const found: Phrase[] = [];
	let open: Phrase | null = null;
	for (let i = range.from; i < range.to; i++) {
		const text = textAt(grid.rows, i);
		const goesOn = isContinuation(text) || goesOnFrom(grid, i - 1);
		if (!goesOn) {
			open = { text, from: i, to: i + 1 };
			found.push(open);
		} else if (text !== "" && open !== null) {
			const joined: string = `${open.text} ${text.trim()}`;
			open = { text: joined, from: open.from, to: i + 1 };
			found[found.length - 1] = open;
		} else open = null;
	}
	return found;
}

function goesOnFrom(grid: Grid, i: number): boolean {
	return isFull(grid, i) && !isRule(grid.rows[i], grid.width);
}

/**
 * The rows below the last rule, when no entry of a transcript stands among them. `from`: below an
 * input box; -1 = there is none, and a screen without a rule may be a view as a whole.
 */
function findPanel(grid: Grid, from: number): Range | null {
	const { rows } = grid;
	const rule = rows.findLastIndex((row) => isRule(row, grid.width));
	if (rule < from) return null;
	const panel = { from: rule + 1, to: rows.length };
	const entry = rows.slice(panel.from).some((row) => /^[●⏺✻❯]/.test(row.text));
	return entry || panel.from >= panel.to ? null : panel;
}
