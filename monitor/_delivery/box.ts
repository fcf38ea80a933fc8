/** Is the text in the input box ours? Decides whether an Enter may be pressed (contract 04 §5.4). */
import type { ComposerView } from "../_pane/types.ts";
import { withoutInvisible } from "./clean.ts";

/** Beyond these Claude Code shows a paste as a placeholder. */
const MAX_SHOWN_BREAKS = 2;
const MAX_SHOWN_LENGTH = 800;
const TAB = "    ";

/** A shorter piece could stand in any text. */
const MIN_PREFIX = 8;

/**
 * True only when the whole box is provably `payload` (cleaned): its placeholder with the right
 * number of lines, or its text, seen by blanks-free equality. A further row that somebody typed
 * below it makes it not ours.
 */
export function boxIsOurs(box: ComposerView | null, payload: string): boolean {
	if (box === null || box.shellMode || box.row.trim() === "") return false;
	const lines = placeholderLines(box);
	if (lines !== null)
		return wouldCollapse(payload) && lines === breaksOf(payload);
	return isOurText(box, payload) || isOurAsciiText(box, payload);
}

/** Would Claude Code show this payload as `[Pasted text #N +K lines]`? */
export function wouldCollapse(payload: string): boolean {
	const length = payload.replaceAll("\t", TAB).length;
	return breaksOf(payload) > MAX_SHOWN_BREAKS || length > MAX_SHOWN_LENGTH;
}

function breaksOf(payload: string): number {
	return payload.split("\n").length - 1;
}

/**
 * Line breaks of the one placeholder that is the whole box, on however many rows a narrow pane shows it; null when the
 * box holds anything else. Two placeholders are two pastes, and one of them is not ours.
 */
function placeholderLines(box: ComposerView): number | null {
	const text = squash(whole(box));
	const found = /^\[Pastedtext#\d+(?:\+(\d+)lines?)?\]$/.exec(text);
	return found === null ? null : Number(found[1] ?? 0);
}

function isOurText(box: ComposerView, payload: string): boolean {
	const first = shown(firstLine(payload));
	const row = shown(box.row);
	const starts =
		row === first || (first.startsWith(row) && [...row].length >= MIN_PREFIX);
	return starts && squash(whole(box)) === squash(payload);
}

/** For a glyph that the terminal draws as another: everything but it must agree. */
function isOurAsciiText(box: ComposerView, payload: string): boolean {
	const row = ascii(shown(box.row)).trim();
	return (
		row.length >= MIN_PREFIX &&
		ascii(shown(firstLine(payload)))
			.trimStart()
			.startsWith(row) &&
		box.rest.every((line) => ascii(line) === line) &&
		squash(ascii(whole(box))) === squash(ascii(payload))
	);
}

function whole(box: ComposerView): string {
	return [box.row, ...box.rest].join("\n");
}

function firstLine(payload: string): string {
	return payload.split("\n", 1)[0] ?? "";
}

/** As the composer row shows it: leading blanks belong to the chevron, trailing ones to nobody. */
function shown(text: string): string {
	return withoutInvisible(text).replaceAll("\t", TAB).trim();
}

function squash(text: string): string {
	return withoutInvisible(text).replace(/\s+/g, "");
}

function ascii(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, "");
}
