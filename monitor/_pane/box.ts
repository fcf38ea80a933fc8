/** Finding the input box (contract 03 §6), and telling one that is in use from one that was left behind. */
import type { Grid } from "./grid.ts";
import { isContinuation, isRule, type Range, textAt } from "./rows.ts";
import {
	COMPOSER,
	MODE_COMPOSER,
	MODE_LINE,
	OLD_COMPOSER,
	ROWS_ABOVE,
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
	/** Its first rows are out of sight, so there is a draft, whatever the rest shows. */
	readonly isCut: boolean;
}
/**
 * The last row that looks like an input box. When that row lies inside a framed box (a draft that
 * quotes a chevron), the frame's first row is meant.
 */
export function findBox(grid: Grid): Box | null {
	const { rows } = grid;
	const last = rows.findLastIndex((_, i) => isBoxRow(grid, i));
	const scrolled = scrolledBox(grid);
	if (scrolled !== null && scrolled.row > last) return scrolled;
	if (last < 0) return overflowingBox(grid);
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
export function isLive(grid: Grid, box: Box): boolean {
	if (box.upperRule === null || box.lowerRule === null) return false;
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
	const textAtColumn = text.length - text.trimStart().length;
	return { ...box, textAt: textAtColumn, isCut: true };
}

/**
 * Releases that draw into the normal screen let a draft grow past its top: then nothing but the
 * draft's rows stands above the only rule, and the mode line below it.
 */
function overflowingBox(grid: Grid): Box | null {
	const { rows } = grid;
	const rule = rows.findLastIndex((row) => isRule(row, grid.width));
	if (rule < 1 || !rows.slice(0, rule).every((r) => isContinuation(r.text)))
		return null;
	if (!rows.slice(rule + 1).some((row) => MODE_LINE.test(row.text)))
		return null;
	const row = rows.findIndex((r) => r.text !== "");
	if (row >= rule) return null;
	const text = textAt(rows, row);
	return {
		row,
		textAt: text.length - text.trimStart().length,
		rest: { from: row + 1, to: rule },
		upperRule: null,
		lowerRule: rule,
		shellMode: false,
		isCut: true,
	};
}

function isBoxRow(grid: Grid, i: number): boolean {
	const text = textAt(grid.rows, i);
	if (COMPOSER.test(text)) return true;
	if (!MODE_COMPOSER.test(text) && !OLD_COMPOSER.test(text)) return false;
	return isRule(grid.rows[i - 1], grid.width);
}

function boxAt(grid: Grid, row: number): Box {
	const { rows } = grid;
	let next = row + 1;
	while (next < rows.length && isContinuation(textAt(rows, next))) next++;
	const lowerRule = isRule(rows[next], grid.width) ? next : null;
	const upperRule = isRule(rows[row - 1], grid.width) ? row - 1 : null;
	// A pane too low for the box shows neither its lower rule nor anything below.
	const isOpen = upperRule !== null && next === rows.length;
	const text = textAt(rows, row);
	return {
		row,
		textAt: text.indexOf("\u00a0") + 1,
		rest: { from: row + 1, to: lowerRule ?? (isOpen ? next : row + 1) },
		upperRule,
		lowerRule,
		shellMode: MODE_COMPOSER.test(text),
		isCut: false,
	};
}

/**
 * Releases that draw into the normal screen leave their last frame there when they end. Status rows
 * are indented and stand right below the box: behind a blank row, text at column 0 is somebody
 * else's (a shell's prompt). Its row, or null.
 */
export function leftBehindAt(grid: Grid, box: Box): number | null {
	const { rows } = grid;
	if (box.lowerRule === null) return null;
	const gap = rows.findIndex(
		(row, i) => i > (box.lowerRule ?? 0) && row.text.trim() === "",
	);
	if (gap < 0) return null;
	const at = rows.findIndex((row, i) => i > gap && !isContinuation(row.text));
	return at < 0 ? null : at;
}
