/** The regions of a screen, found bottom up (contract 03 §6). Where a thing stands decides what it is. */
import { type Box, findBox, isLive, leftBehindAt } from "./box.ts";
import type { Grid, Row } from "./grid.ts";
import {
	isContinuation,
	isFull,
	isRule,
	isStillSpinner,
	isSurvey,
	type Phrase,
	type Range,
	textAt,
} from "./rows.ts";
import { TRANSCRIPT_START } from "./screen-texts.ts";

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

/** A box that was left behind in the transcript does not count: then the screen has none. */
export function segment(grid: Grid): Screen {
	const found = findBox(grid);
	const over = found === null ? null : leftBehindAt(grid, found);
	if (found === null || over !== null) return withoutBox(grid, over ?? 0);
	return withBox(grid, found);
}

function withBox(grid: Grid, box: Box): Screen {
	const end = grid.rows.length;
	const below = (box.lowerRule ?? box.rest.to - 1) + 1;
	const top = box.upperRule ?? box.row;
	return {
		grid,
		box,
		status: { from: below, to: end },
		live: logicalRows(grid, { from: topOfLive(grid.rows, top), to: top }),
		transcript: { from: 0, to: box.row },
		dialogArea: { from: isLive(grid, box) ? end : below, to: end },
		panel: findPanel(grid, below),
	};
}

/** `from`: the first row that belongs to what is on now. */
function withoutBox(grid: Grid, from: number): Screen {
	const end = grid.rows.length;
	const liveFrom = Math.max(from, topOfLive(grid.rows, end));
	return {
		grid,
		box: null,
		status: { from: end, to: end },
		live: logicalRows(grid, { from: liveFrom, to: end }),
		transcript: { from: 0, to: end },
		dialogArea: { from, to: end },
		panel: findPanel(grid, from === 0 ? -1 : from),
	};
}

/**
 * Going up from the box, everything belongs to the live zone until an entry of the transcript
 * stands at column 0. Indented rows in between are that entry's, and logical rows leave them out.
 */
function topOfLive(rows: readonly Row[], bottom: number): number {
	for (let i = bottom - 1; i >= 0; i--)
		if (TRANSCRIPT_START.test(textAt(rows, i)) && !isSurvey(rows, i))
			return isStillSpinner(rows[i]) ? i : i + 1;
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
