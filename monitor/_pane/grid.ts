/**
 * A capture (`tmux capture-pane -p -e -N`) as rows of text with attributes (contract 03 §6).
 * A row keeps its text and the runs of equal style; cells are cut out only where somebody looks at
 * them, which keeps the reading of a whole screen far below a millisecond.
 */
import { applySgr, PLAIN, type Style } from "./sgr.ts";

/** A stretch of equal style, as UTF-16 offsets into the row's text. */
export interface Run {
	readonly start: number;
	readonly end: number;
	readonly style: Style;
}
export interface Row {
	/** Without escapes and control characters; trailing blanks are cut. */
	readonly text: string;
	/** Covers the trailing blanks too: a cursor often stands there. */
	readonly runs: readonly Run[];
	/** Columns up to the last cell that is not blank. */
	readonly width: number;
}
export interface Grid {
	readonly rows: readonly Row[];
	/** Columns of the pane. */
	readonly width: number;
	/** Told, or measured by a rule. Else the widest row may just be a short one. */
	readonly widthIsSure: boolean;
}
/** One column position: a character with its combining marks. */
export interface Cell {
	readonly ch: string;
	readonly style: Style;
}

/**
 * Never throws, whatever the bytes. `width` is the pane's; without it the widest row counts, which
 * is right for Claude Code because its rules span the pane. Blank rows at the end are dropped.
 */
export function parseGrid(capture: string, width?: number): Grid {
	const rows: Row[] = [];
	let style = PLAIN;
	for (const line of capture.split("\n")) {
		const parsed = parseRow(line, style);
		style = parsed.style;
		rows.push(parsed.row);
	}
	while (rows.length > 0 && rows[rows.length - 1]?.text === "") rows.pop();
	const widest = rows.reduce((most, row) => Math.max(most, row.width), 0);
	const ruled = rows.some((r) => r.width === widest && /^[─▔╌╭]/.test(r.text));
	return {
		rows,
		width: width ?? widest,
		widthIsSure: width !== undefined || ruled,
	};
}

/** The row's cells from UTF-16 offset `from` on, trailing blanks of the text left out. */
export function cellsOf(row: Row, from = 0): Cell[] {
	const cells: Cell[] = [];
	let run = 0;
	for (const { segment, index } of GRAPHEMES.segment(row.text)) {
		if (index < from) continue;
		while (run < row.runs.length - 1 && (row.runs[run]?.end ?? 0) <= index)
			run++;
		cells.push({ ch: segment, style: row.runs[run]?.style ?? PLAIN });
	}
	return cells;
}

/** Columns that `text` takes on the screen; wide characters take two. */
export function columns(text: string): number {
	return Bun.stringWidth(text);
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/**
 * Sequences that are not text: strings (OSC, DCS, SOS, PM, APC) up to their end or the end of the
 * row, CSI, character-set choices, other two-byte escapes, and single control characters.
 */
const NOT_TEXT =
	/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[PX^_][^\x1b]*(?:\x1b\\|$)|\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])|\x1b[ -/]+[0-~]|\x1b[^[\]]?|[\x00-\x1a\x1c-\x1f\x7f-\x9f]/g;

function parseRow(
	line: string,
	initial: Style,
): { readonly row: Row; readonly style: Style } {
	let text = "";
	let style = initial;
	let at = 0;
	const runs: Run[] = [];
	const take = (piece: string) => {
		if (piece === "") return;
		const start = text.length;
		text += piece;
		const last = runs.at(-1);
		if (last?.style === style)
			runs[runs.length - 1] = { ...last, end: text.length };
		else runs.push({ start, end: text.length, style });
	};
	for (const match of line.matchAll(NOT_TEXT)) {
		take(line.slice(at, match.index));
		at = match.index + match[0].length;
		if (match[2] === "m" && /^[0-9;:]*$/.test(match[1] ?? ""))
			style = applySgr(style, match[1] ?? "");
	}
	take(line.slice(at));
	const shown = cutBlanks(text);
	return { row: { text: shown, runs, width: columns(shown) }, style };
}

/** Only ASCII blanks: the no-break space after the chevron is what tells an input box from a quotation. */
function cutBlanks(text: string): string {
	let end = text.length;
	while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
	return text.slice(0, end);
}
