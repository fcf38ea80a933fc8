/** Rows of windows that closed between staging and emit (contract 01 §7.2, §11.2). Pure. */

export interface Restated {
	readonly text: string;
	/** Names of the windows whose rows were withheld. */
	readonly gone: readonly string[];
}

const ROW = "  - ";

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
		if (line.startsWith(ROW)) {
			const row = line.slice(ROW.length);
			// Window names may hold blanks: the row must start with one that is there.
			dropping = ![...live].some((w) => row === w || row.startsWith(`${w} `));
			if (dropping) gone.push(row.split(" ", 1)[0] ?? row);
		} else if (!/^\s/.test(line)) {
			dropping = false;
		}
		if (!dropping) kept.push(line);
	}
	return { text: kept.join("\n"), gone };
}

/** The rows with one line that names what was withheld; nothing when no row is left. */
export function withGoneNote({ text, gone }: Restated): string {
	if (gone.length === 0) return text;
	if (!text.split("\n").some((line) => line.startsWith(ROW))) return "";
	const note = `  (withheld, window gone: ${gone.join(", ")})`;
	return `${text.replace(/\n+$/, "")}\n${note}\n`;
}
