/** The operator-editable pattern files: four fields a row, extended regular expressions (contract 08 §2.3, §2.4). Pure. */

export type PatternRow = readonly [string, string, string, string];

/** Rows of `a|b|c|d`; the first three pipes split. Blank lines, `#` lines and lines with fewer fields are skipped. */
export function parsePatternRows(text: string): readonly PatternRow[] {
	return text.split("\n").flatMap((line) => {
		if (/^\s*(?:#|$)/.test(line)) return [];
		const [, a, b, c, d] = /^([^|]*)\|([^|]*)\|([^|]*)\|(.*)$/.exec(line) ?? [];
		if (a === undefined || b === undefined) return [];
		return c === undefined || d === undefined ? [] : [[a, b, c, d] as const];
	});
}

/** An extended regular expression as ours, unanchored and case-sensitive; null when it is none. */
export function extendedRegExp(source: string): RegExp | null {
	const translated = source.replace(
		/\[:([a-z]+):\]/g,
		(whole, name: string) => POSIX_CLASSES.get(name) ?? whole,
	);
	try {
		return new RegExp(translated);
	} catch {
		return null;
	}
}

/** As they stand within brackets. */
const POSIX_CLASSES = new Map([
	["space", "\\s"],
	["blank", " \\t"],
	["digit", "0-9"],
	["alpha", "A-Za-z"],
	["alnum", "A-Za-z0-9"],
	["upper", "A-Z"],
	["lower", "a-z"],
	["xdigit", "0-9A-Fa-f"],
	["word", "\\w"],
	["punct", "!-\\/:-@\\[-`{-~"],
	["cntrl", "\\x00-\\x1f\\x7f"],
	["print", "\\x20-\\x7e"],
	["graph", "\\x21-\\x7e"],
]);
