/** Where a dialog can stand and what it is called: common ground of the arms that look for one (contract 03 §8). */
import type { Activity } from "./activity.ts";
import type { Row } from "./grid.ts";
import { findFooter } from "./key-footer.ts";
import { type Selected, selectedRows } from "./options.ts";
import { bareText, isRule, type Range } from "./rows.ts";
import type { Screen } from "./screen.ts";
import { DIALOG } from "./screen-texts.ts";

const OVERLAY_KINDS = [
	"rate-limit",
	"permission",
	"bypass-permissions",
	"askuq",
	"workspace-trust",
	"resume-summary",
	"theme",
	"login",
	"dialog",
] as const;
export type OverlayKind = (typeof OVERLAY_KINDS)[number];

export interface Overlay {
	readonly kind: OverlayKind;
	/** Which arm found it: a name of contract 03 §8's table, for `--explain`. */
	readonly arm: string;
	/** The row that decided. */
	readonly row: number;
}

/** What the arms look at: the rows where a dialog can stand, and the chevron rows that nothing live lies below. */
export interface Area {
	readonly screen: Screen;
	readonly rows: readonly Row[];
	readonly range: Range;
	readonly selected: readonly Selected[];
	/** Row of the key footer. */
	readonly footer: number | null;
	/** Row of a live turn or a queued message; -1 = none. */
	readonly alive: number;
}
export type Found = Pick<Overlay, "kind" | "row"> | null;

/** `alive` is the last row that shows a running turn or a queue, -1 for none: a dialog can only stand below it. */
export function areaOf(screen: Screen, activity: Activity): Area {
	const { rows } = screen.grid;
	const range = screen.dialogArea;
	const turnRow = Math.max(-1, ...activity.turn.map((t) => t.row));
	const alive = Math.max(turnRow, activity.queue ?? -1);
	const selected = selectedRows(rows, range).filter((s) => s.row > alive);
	const footer = findFooter(screen, range);
	return { screen, rows, range, selected, footer, alive };
}

/** Nothing goes on below a dialog: no turn, no queued message, no further entry of a transcript. */
export function isLast({ rows, range, alive }: Area, row: number): boolean {
	if (row <= alive) return false;
	return !rows.slice(row + 1, range.to).some(({ text }) => /^[●⏺✻]/.test(text));
}

const ASKS = [
	DIALOG.askOther,
	DIALOG.askChat,
	DIALOG.askChips,
	DIALOG.askReview,
];

/**
 * The name never decides whether there is a dialog; it only helps who reads the line. Looked for
 * from the dialog's own rule on: what a transcript above it says is no part of it.
 */
export function kindOf(
	{ screen, rows, range }: Area,
	row: number,
): OverlayKind {
	const { width } = screen.grid;
	const rule = rows.findLastIndex((r, i) => i < row && isRule(r, width));
	const texts = rows
		.slice(Math.max(range.from, rule + 1), range.to)
		.map((r) => r.text);
	const has = (pattern: RegExp) =>
		texts.some((text) => pattern.test(bareText(text)));
	if (texts.some((text) => DIALOG.trust.test(text))) return "workspace-trust";
	if (has(DIALOG.resumeSummary)) return "resume-summary";
	if (has(DIALOG.theme)) return "theme";
	if (has(DIALOG.login)) return "login";
	const asks = ASKS.some(has);
	return asks ? "askuq" : "dialog";
}
