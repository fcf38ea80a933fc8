/** Start-up dialogs: which option is ours to choose, and where the cursor stands (contract 04 §8.10). Pure. */
import { bareText } from "./rows.ts";
import type { StartDialogKind } from "./unstick-case.ts";

export interface DialogOption {
	/** Without chevron, number and mark. */
	readonly label: string;
	readonly isSelected: boolean;
}

/** What is known of the window in which the dialog stands. */
export interface StartContext {
	/** Folders that may be trusted: the root, and what the window was opened for. */
	readonly ownDirs: readonly string[];
	/** We started what runs in it. */
	readonly isOurLaunch: boolean;
	/** What `~` stands for. */
	readonly home: string;
}

/** Does this label name the option that we may choose? Null: no option of this dialog is ours to choose. */
export type Wanted = (label: string) => boolean;

/**
 * A test for the label that may be chosen; null: it is the operator's to answer. A folder is trusted only when it is
 * one of ours.
 */
export function wantedOption(
	kind: StartDialogKind,
	rows: readonly string[],
	ctx: StartContext,
): Wanted | null {
	switch (kind) {
		case "workspace-trust":
			return ctx.ownDirs.includes(shownPath(rows, ctx.home) ?? "")
				? (label) => label === "Yes, I trust this folder"
				: null;
		case "bypass-permissions":
			return ctx.isOurLaunch ? (label) => label === "Yes, I accept" : null;
		case "resume-summary":
			return ctx.isOurLaunch
				? (label) => label === "Resume full session as-is"
				: null;
		case "theme":
			return ctx.isOurLaunch ? (label) => label.startsWith("Dark mode") : null;
		case "login":
			return null;
	}
}

/**
 * The options of the dialog that has the last chevron: rows whose text stands in the chevron's
 * column, numbered or not, blank and deeper rows in between. Empty when that cannot be told.
 */
export function dialogOptions(
	rows: readonly string[],
): readonly DialogOption[] {
	if (rows.some((row) => /taller/i.test(row))) return [];
	const at = rows.findLastIndex((row) => CURSOR.test(row));
	const column = CURSOR.exec(rows[at] ?? "")?.[0].length;
	if (column === undefined) return [];
	const above = optionsFrom(rows, at, -1, column).reverse();
	const own = { label: labelOf(rows[at] ?? ""), isSelected: true };
	return [...above, own, ...optionsFrom(rows, at, 1, column)];
}

/** A chevron with ASCII blanks: with a no-break space it is an input box. */
const CURSOR = /^[ │]*❯ +(?=[^ \u00a0])/;

function optionsFrom(
	rows: readonly string[],
	from: number,
	step: 1 | -1,
	column: number,
): DialogOption[] {
	const found: DialogOption[] = [];
	for (let i = from + step; i >= 0 && i < rows.length; i += step) {
		const row = (rows[i] ?? "").replace(/^(\s*)│/, "$1 ");
		const at = row.search(/\S/);
		if (at < 0 || at > column) continue;
		if (at < column) break;
		found.push({ label: labelOf(row), isSelected: false });
	}
	return found;
}

function labelOf(row: string): string {
	return bareText(row)
		.replace(/^[✔✓●◉○◯] +/, "")
		.replace(/ +[✔✓]$/, "");
}

/** The first path that stands alone on a row. */
function shownPath(rows: readonly string[], home: string): string | null {
	const path = rows
		.map((row) => bareText(row))
		.find((text) => /^(?:\/|~(?:\/|$))/.test(text));
	if (path === undefined) return null;
	return path.startsWith("~") ? `${home}${path.slice(1)}` : path;
}
