/** How much room a line takes on a terminal (contract 06 §7.3). Pure. */

export interface Geometry {
	readonly rows: number;
	readonly cols: number;
}

const UNKNOWN_SIZE: Geometry = { rows: 24, cols: 80 };
const FEWEST_ROWS = 5;
const FEWEST_COLS = 20;

/** The operator's wish, else the terminal's word; a size that nobody could read in is an unknown one. */
export function geometryOf(
	wished: { readonly rows: number | null; readonly cols: number | null },
	terminal: Geometry | null,
): Geometry {
	return {
		rows:
			believed(wished.rows, FEWEST_ROWS) ??
			believed(terminal?.rows ?? null, FEWEST_ROWS) ??
			UNKNOWN_SIZE.rows,
		cols:
			believed(wished.cols, FEWEST_COLS) ??
			believed(terminal?.cols ?? null, FEWEST_COLS) ??
			UNKNOWN_SIZE.cols,
	};
}

/** Rows that a line takes: escape sequences have no width, wide letters two columns; an empty line takes one. */
export function lineCost(line: string, cols: number): number {
	return Math.max(1, Math.ceil(Bun.stringWidth(line) / cols));
}

/** Rows of a terminal of `cols` columns, wrapped lines counted. */
export function costOf(lines: readonly string[], cols: number): number {
	return lines.reduce((sum, line) => sum + lineCost(line, cols), 0);
}

/** The first lines that fit into so many rows. */
export function fitted(
	lines: readonly string[],
	rows: number,
	cols: number,
): readonly string[] {
	let used = 0;
	return lines.filter((line) => {
		used += lineCost(line, cols);
		return used <= rows;
	});
}

function believed(value: number | null, least: number): number | null {
	return value !== null && value >= least ? value : null;
}
