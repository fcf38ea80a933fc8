/**
 * Live dialogs (contract 03 §8). A dialog replaces the input box, so one that has a box below it is
 * a quotation. Named arms first; then the shape alone, because each release brings a dialog that
 * nobody has listed, and a pane that reads `empty` for ever helps nobody.
 */
import type { Activity } from "./activity.ts";
import {
	type Area,
	areaOf,
	type Found,
	isLast,
	kindOf,
	type Overlay,
} from "./dialog-area.ts";
import type { Row } from "./grid.ts";
import { lastRows } from "./key-footer.ts";
import { findBare, hasNeighbour, nothingElseFollows } from "./options.ts";
import { bareText, textAt } from "./rows.ts";
import type { Screen } from "./screen.ts";
import { DIALOG } from "./screen-texts.ts";
import { historySearch, otherBox, panelWithKeys } from "./views.ts";

export type { Overlay, OverlayKind } from "./dialog-area.ts";

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

/** Prompts quoted inside the command shown lie above the real one. */
function permissionPrompt({ rows, range, selected }: Area): Found {
	for (let i = range.to - 1; i >= range.from; i--) {
		const to = endOfQuestion(rows, i);
		if (to !== null)
			return selected.some((s) => s.row >= to)
				? { kind: "permission", row: i }
				: null;
	}
	return null;
}

/** Row after the permission question that starts in row `from`; it may wrap twice. null = none starts there. */
function endOfQuestion(rows: readonly Row[], from: number): number | null {
	if (!DIALOG.permissionStart.test(bareText(textAt(rows, from)))) return null;
	for (let i = from; i < from + 3; i++) {
		const text = bareText(textAt(rows, i));
		if (/^[^?]*\?$/.test(text)) return i + 1;
		if (text === "" || /\?|^[⎿●⏺]/.test(text)) return null;
	}
	return null;
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
