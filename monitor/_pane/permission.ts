/** A permission prompt in captured text: what is asked, what would be answered, what is shown of it (contract 04 §8.3). */
import { type MenuVerdict, PERMISSION_MENU, readMenu } from "./menu.ts";
import { bareText } from "./rows.ts";

export interface PermissionPrompt {
	readonly verdict: MenuVerdict;
	/** `Do you want to proceed?`; one line, however the pane wrapped it. */
	readonly question: string;
	/** Rows below the question as they stand; blank rows and the figures of a countdown are left out. */
	readonly options: readonly string[];
	/** Rows between the dialog's top rule and its question, without frame glyphs. */
	readonly body: readonly string[];
	/** The top rule is in sight and nothing below it was left out. */
	readonly isWhole: boolean;
}

/**
 * The last prompt in the capture: a question and a chevron row below it. Null when there is none.
 * It may be a quotation.
 */
export function permissionPrompt(
	rows: readonly string[],
): PermissionPrompt | null {
	const title = PERMISSION_MENU.title(rows);
	if (title === null) return null;
	const below = rows.slice(title.to + 1);
	if (!below.some((row) => /❯\s+/.test(row))) return null;
	const top = rows.slice(0, title.from).findLastIndex(isTopRule);
	const body = rows
		.slice(top + 1, title.from)
		.map((row) => withoutCountdown(withoutFrame(row)));
	const isCut = [...body, ...below].some((row) => LEFT_OUT.test(row));
	return {
		verdict: readMenu(rows, PERMISSION_MENU).verdict,
		question: rows
			.slice(title.from, title.to + 1)
			.map(bareText)
			.join(" "),
		options: below.map(withoutCountdown).filter((row) => row !== ""),
		body,
		isWhole: top >= 0 && !isCut,
	};
}

/** A shell command or a tool's call, and not a file or an address that the question itself names. */
export function asksForCommand({ question }: PermissionPrompt): boolean {
	return /\bDo you want to proceed\?$/.test(question);
}

/** All that is known of what would be allowed; question included, since it names files. */
export function shownText(prompt: PermissionPrompt): string {
	return [...prompt.body, "", prompt.question].join("\n");
}

/** `deny this request in 0:42` ticks down. */
export function withoutCountdown(row: string): string {
	return row.trimEnd().replace(/(deny this request in )\d+:\d\d/g, "$1M:SS");
}

/** Words by which Claude Code itself warns (contract 04 §8.2). */
const DANGER_MARKERS: readonly string[] = [
	"Dangerous ",
	"possibly-empty variable path",
	"critical path",
	"statically-unresolvable target",
	"working directory or its ancestor",
	"which is a sensitive file",
];

/** The first of them in the prompt's body, or null. */
export function dangerMarker({ body }: PermissionPrompt): string | null {
	const text = body.join("\n");
	const squeezed = text.replace(/\s+/g, " ");
	return (
		DANGER_MARKERS.find((m) => text.includes(m) || squeezed.includes(m)) ?? null
	);
}

/** At column 0, where no row of a command can stand. */
function isTopRule(row: string): boolean {
	return /^(?:[─▔]{8,}|╭─{7,}╮?)\s*$/.test(row);
}

/** `↑ 46 more lines`, `… +12 lines`. */
const LEFT_OUT = /^[\s│]*(?:[↑↓]|…|\.\.\.) *\+?\d+ (?:more )?lines?\b/;

function withoutFrame(row: string): string {
	return row
		.replace(/^\s*│/, " ")
		.replace(/│\s*$/, "")
		.replace(/^ *[╌─]+ *$/, "")
		.trimEnd();
}
