/** Of a change that was too long to be printed whole: the snapshot as far as its reader knows it. Pure. */

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+/;

/**
 * `since` with the first `shown` lines of `diff` (unified, from `since` to `current`) carried out: the baseline to which
 * what was left out is still news. `current` when nothing was, or when what is shown holds no change: a baseline that
 * stands still would say the same again for ever.
 */
export function toldPart(
	since: string,
	current: string,
	diff: string,
	shown: number,
): string {
	const lines = diff.replace(/\n+$/, "").split("\n");
	if (lines.length <= shown) return current;
	const old = since.split("\n");
	const told: string[] = [];
	let at = 0;
	let inHunk = false;
	for (const line of lines.slice(0, shown)) {
		const hunk = HUNK.exec(line);
		if (hunk !== null) {
			inHunk = true;
			// An empty side begins behind the line that it names.
			const begin = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
			while (at < begin) told.push(old[at++] ?? "");
		} else if (!inHunk) continue;
		else if (line.startsWith("+")) told.push(line.slice(1));
		else if (line.startsWith("-")) at++;
		else if (line.startsWith(" ")) told.push(old[at++] ?? "");
	}
	const whole = [...told, ...old.slice(at)].join("\n");
	return whole === since ? current : whole;
}
