/** What is in the input box, and whether a completion menu is open at it (contract 03 §8). */

import type { Box } from "./box.ts";
import { type Cell, cellsOf, type Run } from "./grid.ts";
import { isContinuation, textAt } from "./rows.ts";
import type { Screen } from "./screen.ts";
import { BOX_GLYPH, CHIP, MENU_ROW, PLACEHOLDER } from "./screen-texts.ts";
import type { ComposerView, InputKind } from "./types.ts";

export interface Menu {
	/** Row of the entry next to the box. */
	readonly row: number;
	/** First word of the selected entry; null when the screen does not tell. */
	readonly selected: string | null;
}

/**
 * `typed`: somebody put text there, of whatever colour. `ghost`: only a suggestion or placeholder,
 * which are always faint: where nothing has colours, one of Claude Code's own texts behind the cursor.
 * `?`: undecodable bytes.
 */
function inputKind(screen: Screen, box: Box): InputKind {
	const { rows } = screen.grid;
	if (box.isCut || CHIP.test(boxText(screen, box))) return "typed";
	const first = contents(screen, box.row, box.textAt);
	if (first[0]?.style.reverse && isPlaceholder(screen, box)) return "ghost";
	const rest = [];
	for (let i = box.rest.from; i < box.rest.to; i++)
		rest.push(...contents(screen, i, 0));
	const ghostAt = suggestionStart(first);
	const before = ghostAt < 0 ? first : first.slice(0, ghostAt);
	if (before.some(isVisible)) return "typed";
	if (rest.some((c) => isVisible(c) && !c.style.dim)) return "typed";
	if (ghostAt >= 0 || rest.some(isVisible)) return "ghost";
	return textAt(rows, box.row).includes(UNREADABLE) ? "?" : "blank";
}

/** The composer row's visible text for the output line: chrome gone, blanks squeezed. */
export function inputText(screen: Screen, box: Box): string {
	return contents(screen, box.row, box.textAt)
		.map((c) => c.ch)
		.join("")
		.replace(/[\s\u00a0]+/g, " ")
		.trim();
}

/** The box as delivery compares it with its payload (contract 04 §5.4). */
export function composerView(screen: Screen, box: Box): ComposerView {
	const { rows } = screen.grid;
	const restTo = box.lowerRule ?? rows.length;
	return {
		input: inputKind(screen, box),
		row: textAt(rows, box.row)
			.slice(box.textAt)
			.replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, ""),
		rest: rows
			.slice(box.row + 1, restTo)
			.map((row) => row.text.replace(/[\s\u00a0]+$/, "")),
		shellMode: box.shellMode,
	};
}

/** An Enter would pick a row of it. Only a box that is being completed has one. */
export function findMenu(screen: Screen, box: Box): Menu | null {
	const text = boxText(screen, box).trim();
	const asks = text.startsWith("/") || /(?:^|\s)@\S*$/.test(text);
	if (!asks || inputKind(screen, box) !== "typed") return null;
	const { rows } = screen.grid;
	if (box.lowerRule !== null && MENU_ROW.test(textAt(rows, box.lowerRule + 1)))
		return menuAt(screen, box.lowerRule + 1, 1);
	if (box.upperRule === null) return null;
	const above = lastEntryAbove(screen, box.upperRule);
	return above === null ? null : menuAt(screen, above, -1);
}

/** The entry nearest to the box; its description may wrap onto deeper rows of its own. */
function lastEntryAbove(screen: Screen, upperRule: number): number | null {
	const { rows } = screen.grid;
	for (let i = upperRule - 1; i >= 0; i--) {
		const text = textAt(rows, i);
		if (text.startsWith("  ") && MENU_ROW.test(text)) return i;
		if (!/^ {8,}\S/.test(text)) return null;
	}
	return null;
}

function menuAt(screen: Screen, row: number, step: 1 | -1): Menu {
	return { row, selected: selectedAt(screen, row, step) };
}

/** Stands for bytes that were no UTF-8. */
const UNREADABLE = "\ufffd";

function boxText(screen: Screen, box: Box): string {
	const { rows } = screen.grid;
	const rest = rows.slice(box.rest.from, box.rest.to);
	const first = textAt(rows, box.row).slice(box.textAt);
	return [first, ...rest.map((row) => row.text.trim())].join(" ");
}

/** `CI`, `NO_COLOR` and their like leave Claude Code nothing but the cursor's reversed cell. */
function isPlaceholder(screen: Screen, box: Box): boolean {
	return (
		PLACEHOLDER.test(boxText(screen, box).trim()) &&
		screen.grid.rows.every(({ runs }) => runs.every(isColourless))
	);
}

function isColourless({ style }: Run): boolean {
	return (
		style.fg === "default" &&
		style.bg === "default" &&
		!style.dim &&
		!style.bold
	);
}

/** Cells of a row without the frame that a box may wear, which is faint. */
function contents(screen: Screen, row: number, from: number): readonly Cell[] {
	const at = screen.grid.rows[row];
	if (at === undefined) return [];
	return cellsOf(at, from).filter(
		(c) => !(c.style.dim && BOX_GLYPH.test(c.ch)),
	);
}

function isVisible(cell: Cell): boolean {
	return !/^[\s\u00a0\ufffd]*$/.test(cell.ch);
}

/**
 * The cursor stands on a suggestion's first letter and is not faint: the suggestion starts there.
 * Text that was typed before it stays typed.
 */
function suggestionStart(cells: readonly Cell[]): number {
	const dim = cells.findIndex((c) => isVisible(c) && c.style.dim);
	const cursor = cells[dim - 1];
	return cursor && isVisible(cursor) && cursor.style.reverse ? dim - 1 : dim;
}

/**
 * The entry with a chevron; on releases that mark it by colour alone, the one whose command has
 * another colour than its neighbours'.
 */
function selectedAt(screen: Screen, row: number, step: 1 | -1): string | null {
	const entries: { readonly word: string; readonly fg: string }[] = [];
	const { rows } = screen.grid;
	for (let i = row; ; i += step) {
		const match = MENU_ROW.exec(textAt(rows, i));
		if (match?.[2] === undefined) {
			// A description may wrap onto rows of its own.
			if (textAt(rows, i) !== "" && isContinuation(textAt(rows, i))) continue;
			break;
		}
		if (match[1] !== undefined) return match[2];
		const at = match[0].length - match[2].length;
		const style = rows[i]?.runs.find((run) => run.end > at)?.style;
		entries.push({ word: match[2], fg: String(style?.fg) });
	}
	const odd = entries.filter(
		(e) => entries.filter((other) => other.fg === e.fg).length === 1,
	);
	return entries.length > 1 && odd.length === 1 ? (odd[0]?.word ?? null) : null;
}
