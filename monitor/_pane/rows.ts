/** Small readings of rows: what a single row is, and which rows a narrow pane has torn apart. */
import { columns, type Grid, type Row } from "./grid.ts";
import { STILL_SPINNER, SURVEY_CHOICES } from "./screen-texts.ts";

/** Half-open: rows `from` up to but not including `to`. */
export interface Range {
	readonly from: number;
	readonly to: number;
}
/** A phrase put together from one or more rows. */
export interface Phrase {
	readonly text: string;
	readonly from: number;
	readonly to: number;
}

/** Text of row `i`, empty outside the grid. */
export function textAt(rows: readonly Row[], i: number): string {
	return rows[i]?.text ?? "";
}

/** Only `─` or only `▔`, with the corners of a frame; a rule across the pane may carry a title. */
export function isRule(row: Row | undefined, paneWidth: number): boolean {
	const text = row?.text ?? "";
	if (/^(?:─+|▔+|╭─+╮|╰─+╯)$/.test(text)) return true;
	const titled = /^[─▔]+ [^─▔]+(?: [─▔]*)?$/.test(text);
	return titled && (row?.width ?? 0) >= paneWidth - 1;
}

/** Blank or indented: it cannot begin anything of its own. */
export function isContinuation(text: string): boolean {
	return text === "" || text.startsWith(" ");
}

/** The survey wears an answer's bullet, but belongs to the input box. */
export function isSurvey(rows: readonly Row[], i: number): boolean {
	return SURVEY_CHOICES.test(textAt(rows, i + 1));
}

/** The spinner under reduced motion: an answer's words have the terminal's own colour, a spinner's have not. */
export function isStillSpinner(row: Row | undefined): boolean {
	if (row === undefined || !STILL_SPINNER.test(row.text)) return false;
	return row.runs.find((run) => run.end > 2)?.style.fg !== "default";
}

/** The row without its frame, so that a bordered dialog reads like a plain one. Columns stay. */
export function unframed(text: string): string {
	return /^\s*│.*│$/.test(text)
		? text.replace("│", " ").replace(/ *│$/, "")
		: text;
}

/** Bare words of a dialog row: no blanks, frame, chevron, number. */
export function bareText(text: string): string {
	return text
		.replace(/^[\s│]*(?:❯\s+)?(?:\d+\.\s+)?/, "")
		.replace(/[\s│]+$/, "");
}

/**
 * The rows of a range as whole phrases. A row goes on in the next one when the pane was too narrow
 * for the next row's first word, or when it is filled to its last column. Blanks are squeezed.
 */
export function phrases(grid: Grid, range: Range): readonly Phrase[] {
	const found: Phrase[] = [];
	for (let i = range.from; i < range.to; i++) {
		const text = textAt(grid.rows, i);
		const last = found.at(-1);
		if (last && last.to === i && isWrapped(grid, i - 1)) {
			const glue = isFull(grid, i - 1) && !text.startsWith(" ") ? "" : " ";
			found[found.length - 1] = {
				text: last.text + glue + text.trim(),
				from: last.from,
				to: i + 1,
			};
		} else found.push({ text, from: i, to: i + 1 });
	}
	return found;
}

/** Columns that Claude Code leaves free at the right edge when it wraps. */
const RIGHT_PADDING = 4;

function isWrapped(grid: Grid, i: number): boolean {
	const row = grid.rows[i];
	const next = textAt(grid.rows, i + 1);
	if (!grid.widthIsSure || row === undefined) return false;
	if (row.text === "" || next === "") return false;
	if (/[─▔╌│╮╯]$/.test(row.text)) return false;
	if (isFull(grid, i)) return true;
	const word = /\S+/.exec(next)?.[0] ?? "";
	return row.width + 1 + columns(word) > grid.width - RIGHT_PADDING;
}

/** Filled to the last column: older releases let the terminal wrap, and the next row goes on at column 0. */
export function isFull(grid: Grid, i: number): boolean {
	return grid.widthIsSure && (grid.rows[i]?.width ?? 0) >= grid.width;
}
