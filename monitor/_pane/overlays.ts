/**
 * Live dialogs (contract 03 §8). A dialog replaces the input box, so one that has a box below it is
 * a quotation. Named arms first; then the shape alone, because each release brings a dialog that
 * nobody has listed, and a pane that reads `empty` for ever helps nobody.
 */
import type { Activity } from "./activity.ts";
import type { Row } from "./grid.ts";
import { findFooter, lastRows } from "./key-footer.ts";
import {
	findBare,
	hasNeighbour,
	nothingElseFollows,
	type Selected,
	selectedRows,
} from "./options.ts";
import {
	bareText,
	isContinuation,
	isRule,
	phrases,
	type Range,
	textAt,
} from "./rows.ts";
import type { Screen } from "./screen.ts";
import {
	DIALOG,
	LEAVING_KEYS,
	MODE_LINE,
	QUEUE_PLACEHOLDER,
	SEARCH_STATUS,
	TRANSCRIPT_START,
	VIEW_RULE,
} from "./screen-texts.ts";

export const OVERLAY_KINDS = [
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

/** All arms that match, the deciding one first: that is the dialog that is up. */
export function matchingOverlays(
	screen: Screen,
	activity: Activity,
): readonly Overlay[] {
	const area = areaOf(screen, activity);
	return ARMS.flatMap(({ arm, find }) => {
		const found = find(area);
		return found === null || !isLast(area, found.row)
			? []
			: [{ arm, ...found }];
	});
}

/** What the arms look at: the rows where a dialog can stand, and the chevron rows that nothing live lies below. */
interface Area {
	readonly screen: Screen;
	readonly rows: readonly Row[];
	readonly range: Range;
	readonly selected: readonly Selected[];
	/** Row of the key footer. */
	readonly footer: number | null;
	/** Row of a live turn or a queued message; -1 = none. */
	readonly alive: number;
}
type Found = Pick<Overlay, "kind" | "row"> | null;

function areaOf(screen: Screen, activity: Activity): Area {
	const { rows } = screen.grid;
	const range = screen.dialogArea;
	const turnRow = Math.max(-1, ...activity.turn.map((t) => t.row));
	const alive = Math.max(turnRow, activity.queue ?? -1);
	const selected = selectedRows(rows, range).filter((s) => s.row > alive);
	const footer = findFooter(screen, range);
	return { screen, rows, range, selected, footer, alive };
}

/** Nothing goes on below a dialog: no turn, no queued message, no further entry of a transcript. */
function isLast({ rows, range, alive }: Area, row: number): boolean {
	if (row <= alive) return false;
	return !rows.slice(row + 1, range.to).some(({ text }) => /^[●⏺✻]/.test(text));
}

const ARMS: readonly {
	readonly arm: string;
	readonly find: (area: Area) => Found;
}[] = [
	{ arm: "rate-limit", find: rateLimitMenu },
	{ arm: "permission", find: permissionPrompt },
	{ arm: "bypass-permissions", find: bypassWarning },
	{ arm: "askuq", find: question },
	{ arm: "structural", find: selectDialog },
	{ arm: "panel", find: panelWithKeys },
	{ arm: "history-search", find: historySearch },
	{ arm: "other-box", find: otherBox },
];

function rateLimitMenu({ rows, range, selected }: Area): Found {
	const title = findBare(rows, DIALOG.rateLimitTitle, range);
	const option = findBare(rows, DIALOG.rateLimitOption, range);
	if (title === null || option === null || option < title) return null;
	const chosen = selected.find((s) => s.row > title);
	return chosen ? { kind: "rate-limit", row: title } : null;
}

/** The question may wrap; prompts quoted inside the command shown lie above the real one. */
function permissionPrompt({ screen, range, selected }: Area): Found {
	const asked = phrases(screen.grid, range).findLast((p) =>
		DIALOG.permissionQuestion.test(bareText(p.text)),
	);
	if (asked === undefined) return null;
	if (!selected.some((s) => s.row >= asked.to)) return null;
	return { kind: "permission", row: asked.from };
}

function bypassWarning({ rows, range }: Area): Found {
	const title = rows.findIndex(
		(row, i) => i >= range.from && DIALOG.bypassTitle.test(row.text),
	);
	const accept = findBare(rows, DIALOG.bypassAccept, range);
	const footer = lastRows(rows, range, 3).find((i) =>
		DIALOG.confirmFooter.test(textAt(rows, i)),
	);
	if (title < 0 || accept === null || footer === undefined) return null;
	return { kind: "bypass-permissions", row: accept };
}

function question({ rows, range }: Area): Found {
	const other = findBare(rows, DIALOG.askOther, range);
	if (other === null) return null;
	const chat = findBare(rows, DIALOG.askChat, { ...range, from: other + 1 });
	return chat === null ? null : { kind: "askuq", row: other };
}

function selectDialog(area: Area): Found {
	const { rows, range, footer } = area;
	const chosen = area.selected.findLast(
		(s) =>
			hasNeighbour(rows, s, range) &&
			((footer !== null && footer > s.row) ||
				(s.numbered && nothingElseFollows(rows, s, range))),
	);
	if (chosen === undefined) return null;
	return { kind: kindOf(area, chosen.row), row: chosen.row };
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
function kindOf({ screen, rows, range }: Area, row: number): OverlayKind {
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

/**
 * A view that a person opened (settings, transcript, a list that only scrolls), or a dialog in a
 * pane so low that one option is all that shows of it.
 */
function panelWithKeys(area: Area): Found {
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
	const entry = textAt(rows, above);
	return (
		TRANSCRIPT_START.test(entry) && !isRule(rows[above], screen.grid.width)
	);
}

function historySearch({ screen, rows }: Area): Found {
	const { box, status } = screen;
	if (box === null || !SEARCH_STATUS.test(textAt(rows, status.from)))
		return null;
	return { kind: "dialog", row: status.from };
}

/**
 * The box of another view (2.1.3xx: agents), where a paste would start a session of its own: a
 * chevron with an ASCII blank between two rules, with only status rows below.
 */
function otherBox({ screen, rows, range, selected }: Area): Found {
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
