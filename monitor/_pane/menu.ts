/**
 * Menus in captured text, old rows above included (contract 04 §8.2). Text alone cannot tell a menu
 * from one that is quoted; what these functions find is pressed on only after a look that shows it live.
 */
import { bareText } from "./rows.ts";

/** `quoted`: the words are there, but an input box stands below, or nothing is highlighted. */
export type MenuVerdict =
	| "none"
	| "quoted"
	| "wanted-highlighted"
	| "other-highlighted";

export interface MenuReading {
	readonly verdict: MenuVerdict;
	/** Last row of the title; null without one. */
	readonly titleRow: number | null;
	/** The highlighted label, without chevron and number. */
	readonly label: string | null;
}

/** One kind of menu. */
export interface MenuKind {
	/** First and last row of the last title; null: there is none, or the menu's other words are missing. */
	readonly title: (rows: readonly string[]) => TitleRows | null;
	/** One release dropped the numbers of permission prompts. */
	readonly isNumbered: boolean;
	readonly isWanted: (label: string) => boolean;
}
export interface TitleRows {
	readonly from: number;
	readonly to: number;
}

export const PERMISSION_MENU: MenuKind = {
	title: lastPermissionTitle,
	isNumbered: false,
	// Any other yes is a standing grant or a change of mode.
	isWanted: (label) => label === "Yes",
};

export const RATE_LIMIT_MENU: MenuKind = {
	title: (rows) => {
		if (!rows.some((row) => row.includes(STOP_AND_WAIT))) return null;
		const at = rows.findLastIndex((row) => RATE_LIMIT_TITLE.test(row));
		return at < 0 ? null : { from: at, to: at };
	},
	isNumbered: true,
	isWanted: (label) => label.includes(STOP_AND_WAIT),
};

/** What stands below the last title. */
export function readMenu(rows: readonly string[], kind: MenuKind): MenuReading {
	const title = kind.title(rows);
	if (title === null) return { verdict: "none", titleRow: null, label: null };
	const below = rows.slice(title.to + 1);
	const option = kind.isNumbered ? NUMBERED_OPTION : ANY_OPTION;
	const highlighted = below.find((row) => option.test(row));
	const label = highlighted === undefined ? null : bareText(highlighted);
	const isQuoted = below.some((row) => CHEVRON.test(row) && !option.test(row));
	const found = { titleRow: title.to, label };
	if (label === null || isQuoted) return { verdict: "quoted", ...found };
	return {
		verdict: kind.isWanted(label) ? "wanted-highlighted" : "other-highlighted",
		...found,
	};
}

/** Nothing below the menu speaks against it. */
export function isLiveMenu({ verdict }: MenuReading): boolean {
	return verdict === "wanted-highlighted" || verdict === "other-highlighted";
}

const STOP_AND_WAIT = "Stop and wait for limit";
const RATE_LIMIT_TITLE = /^[ \t]*│?[ \t]*What do you want to do\?/;
const CHEVRON = /^[ \t]*│?[ \t]*❯/;
/** A no-break space after the chevron makes it an input box. */
const NUMBERED_OPTION = /^[ \t]*│?[ \t]*❯[ \t]+\d+\./;
const ANY_OPTION = /^[ \t]*│?[ \t]*❯[ \t]+(?=\S)[^\u00a0]/;

/** The last question `Do you want to …?`; a narrow pane wraps it over up to three rows. */
function lastPermissionTitle(rows: readonly string[]): TitleRows | null {
	for (let from = rows.length - 1; from >= 0; from--) {
		if (!/\bDo you want to\b/.test(rows[from] ?? "")) continue;
		let text = "";
		for (let to = from; to < Math.min(from + 3, rows.length); to++) {
			const row = rows[to] ?? "";
			if (to > from && !mayContinue(row)) break;
			text += ` ${bareText(row)}`;
			if (/\bDo you want to .*\?$/.test(text)) return { from, to };
		}
	}
	return null;
}

/** Neither a gap nor the begin of something else: a question that a tool's output quotes half goes on in no other output. */
function mayContinue(row: string): boolean {
	return row.trim() !== "" && !CHEVRON.test(row) && !/^\s*[●⏺⎿✻]/.test(row);
}
