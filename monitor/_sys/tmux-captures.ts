/** Many captures through one client (contract 03 §5): the script for its standard input, and the cutting of its answer. Pure. */

/**
 * One marker line and one capture a pane, an end mark last. A chain of `;` commands on the command
 * line would stop at the first pane that is gone, and is refused above 16 KB. The nonce is letters
 * and digits only: `display-message` expands `%` and `#`.
 */
export function captureScript(
	paneIds: readonly string[],
	nonce: string,
): string {
	const lines = paneIds.flatMap((id) => [
		`display-message -p ${marker(nonce, id)}`,
		`capture-pane -p -e -N -t ${id}`,
	]);
	return `${[...lines, `display-message -p ${endMark(nonce)}`].join("\n")}\n`;
}

/**
 * Text by pane id. A pane without rows after its marker could not be captured (a blank one has blank
 * rows). Null when the end mark is missing: then not all panes were asked.
 */
export function splitCaptures(
	stdout: string,
	paneIds: readonly string[],
	nonce: string,
): ReadonlyMap<string, string> | null {
	const marks = new Map(paneIds.map((id) => [marker(nonce, id), id]));
	const text = new Map<string, string>();
	let current: string | null = null;
	let rows: string[] = [];
	for (const line of stdout.split("\n")) {
		const id = marks.get(line);
		const ended = line === endMark(nonce);
		if (id === undefined && !ended) {
			rows.push(line);
			continue;
		}
		if (current !== null && rows.length > 0)
			text.set(current, `${rows.join("\n")}\n`);
		if (ended) return text;
		current = id ?? null;
		rows = [];
	}
	return null;
}

function marker(nonce: string, paneId: string): string {
	return `${nonce}p${paneId.slice(1)}`;
}

function endMark(nonce: string): string {
	return `${nonce}end`;
}
