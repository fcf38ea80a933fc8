/** Rows of windows that closed between staging and emit (contract 01 §7.2). Pure. */

const ROW = "  - ";

/**
 * Takes out rows `  - <window> …` of windows that are not in `live`, with the lines that belong to
 * them. `live` is null when nobody could look: nothing is taken out then.
 */
export function withholdGone(
	text: string,
	live: ReadonlySet<string> | null,
): string {
	if (live === null) return text;
	const kept: string[] = [];
	let dropping = false;
	for (const line of text.split("\n")) {
		if (line.startsWith(ROW)) {
			const row = line.slice(ROW.length);
			// Window names may hold blanks: the row must start with one that is there.
			dropping = ![...live].some((w) => row === w || row.startsWith(`${w} `));
		} else if (!/^\s/.test(line)) {
			dropping = false;
		}
		if (!dropping) kept.push(line);
	}
	return kept.join("\n");
}
