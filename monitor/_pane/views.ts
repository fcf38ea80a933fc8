/** Dialogs that are no questions of the agent: views that took the place of the box (contract 03 §8, arms 6 and 7). */
import { type Area, type Found, kindOf } from "./dialog-area.ts";
import { isContinuation, isRule, type Range, textAt } from "./rows.ts";
import {
	LEAVING_KEYS,
	MODE_LINE,
	QUEUE_PLACEHOLDER,
	SEARCH_STATUS,
	TRANSCRIPT_START,
	VIEW_RULE,
} from "./screen-texts.ts";

/**
 * A view that a person opened (settings, transcript, a list that only scrolls), or a dialog in a
 * pane so low that one option is all that shows of it.
 */
export function panelWithKeys(area: Area): Found {
	const { panel, box, grid } = area.screen;
	const { footer } = area;
	if (panel === null) return null;
	// A view taller than the pane is cut at its end: the rule that only views have is left.
	if (textAt(grid.rows, panel.from - 1).startsWith(VIEW_RULE))
		return { kind: kindOf(area, panel.from), row: footer ?? panel.from };
	if (footer === null || footer < panel.from)
		return followsEntry(area, panel)
			? { kind: kindOf(area, panel.from), row: panel.from }
			: null;
	// Without any rule, help texts that name keys look much like a view.
	const isBare = panel.from === 0 && box === null;
	const leaves = LEAVING_KEYS.test(textAt(grid.rows, footer));
	if (isBare && !leaves && area.selected.length === 0) return null;
	return { kind: kindOf(area, panel.from), row: footer };
}

/**
 * A view that names no keys: its one rule comes right after an entry of the transcript, where a box
 * would have a second rule, and below it there is no mode line.
 */
function followsEntry({ rows, screen }: Area, panel: Range): boolean {
	const inside = rows.slice(panel.from, panel.to);
	if (inside.some((row) => MODE_LINE.test(row.text))) return false;
	let above = panel.from - 2;
	while (above >= 0 && isContinuation(textAt(rows, above))) above--;
	if (above < 0) return panel.from > 0;
	const isEntry = TRANSCRIPT_START.test(textAt(rows, above));
	return isEntry && !isRule(rows[above], screen.grid.width);
}

/** By the status row under the box; null when there is none. */
export function historySearch({ screen, rows }: Area): Found {
	const { box, status } = screen;
	if (box === null || !SEARCH_STATUS.test(textAt(rows, status.from)))
		return null;
	return { kind: "dialog", row: status.from };
}

/**
 * The box of another view (2.1.3xx: agents), where a paste would start a session of its own: a
 * chevron with an ASCII blank between two rules, with only status rows below.
 */
export function otherBox({ screen, rows, range, selected }: Area): Found {
	const { width } = screen.grid;
	const lower = rows.findLastIndex((row) => isRule(row, width));
	const chosen = selected.findLast((s) => s.row < lower);
	if (chosen === undefined || chosen.row <= range.from) return null;
	const own = chosen.column === 2 && isRule(rows[chosen.row - 1], width);
	const between = rows.slice(chosen.row + 1, lower);
	if (!own || !between.every((row) => isContinuation(row.text))) return null;
	if (QUEUE_PLACEHOLDER.test(textAt(rows, chosen.row))) return null;
	return { kind: "dialog", row: chosen.row };
}
