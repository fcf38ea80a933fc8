/** Rows of windows that closed between staging and emit (contract 01 §7.2, §11.2). Pure. */

export interface Restated {
	readonly text: string;
	/** Names of the windows whose rows were withheld. */
	readonly gone: readonly string[];
}

/**
 * Withholds rows `  - <window> …` of windows that are not in `live`, with the lines that belong to
 * them. `live` is null when nobody could look: nothing is withheld then.
 */
export function withholdGone(
	text: string,
	live: ReadonlySet<string> | null,
): Restated {
	if (live === null) return { text, gone: [] };
	const kept: string[] = [];
	const gone: string[] = [];
	let dropping = false;
	for (const line of text.split("\n")) {
		const [, window] = /^ {2}- (\S+)/.exec(line) ?? [];
		if (window !== undefined) {
			dropping = !live.has(window);
			if (dropping) gone.push(window);
		} else if (!/^\s/.test(line)) {
			dropping = false;
		}
		if (!dropping) kept.push(line);
	}
	return { text: kept.join("\n"), gone };
}

/** The idle rows, with one line that names what was withheld. */
export function withGoneNote({ text, gone }: Restated): string {
	if (gone.length === 0) return text;
	const rows = text.replace(/\n+$/, "");
	const note = `  (withheld, window gone: ${gone.join(", ")})`;
	return `${rows === "" ? "" : `${rows}\n`}${note}\n`;
}
