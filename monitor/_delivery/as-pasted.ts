/** The text as it is pasted: what makes sure that the box will show it in a form that can be judged. */
import type { PaneRow } from "../_sys/doors.ts";
import { wouldCollapse } from "./box.ts";

/** Line breaks that make any text collapse. */
const COLLAPSING = "\n\n\n";
const NEEDS_BLANK = /(?:^|\s)[^\p{L}\p{N}\s]\S*$|\\$/u;
/** Below this Claude Code collapses sooner than elsewhere. */
const SMALL_PANE_ROWS = 13;

/**
 * Adds what the box needs at the very end, where Claude Code or the reader drops it:
 * - three line breaks, when the text would be shown in full and might be taller than the box: a
 *   box that scrolled hides its upper part, and what is hidden is not provably ours;
 * - a blank behind a last word that starts with a sign (`/`, `@`, `:` open menus, and an Enter would
 *   pick a row of them) and behind a backslash, which turns an Enter into a line break.
 * A command stays as it is. `pane` is where it goes, in columns and rows.
 */
export function asPasted(
	payload: string,
	pane: Pick<PaneRow, "width" | "height">,
	command = false,
): string {
	if (command || wouldCollapse(payload)) return payload;
	if (mightScroll(payload, pane)) return payload + COLLAPSING;
	return NEEDS_BLANK.test(payload) ? `${payload} ` : payload;
}

function mightScroll(
	payload: string,
	{ width, height }: Pick<PaneRow, "width" | "height">,
): boolean {
	if (height < SMALL_PANE_ROWS) return true;
	const columns = Math.max(1, width - 4);
	const rows = payload
		.replaceAll("\t", "    ")
		.split("\n")
		.map((line) => Math.max(1, Math.ceil(Bun.stringWidth(line) / columns)))
		.reduce((sum, n) => sum + n, 0);
	// Wrapping at words takes at most twice the rows; the box takes half the pane less five.
	return 2 * rows > Math.max(3, Math.floor(height / 2) - 5);
}
