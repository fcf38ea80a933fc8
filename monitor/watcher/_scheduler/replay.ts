/** What a run had to say, as lines for the watcher's log (contract 01 §4). Pure. */

const MAX_LINES = 20;
const MAX_CHARS = 300;

/** Up to 20 non-empty lines of 300 characters, then one line that says how many were left out. */
export function replayLines(
	name: string,
	rc: number,
	lines: readonly string[],
): readonly string[] {
	const prefix =
		rc === 0 ? `scheduler[${name}]` : `scheduler[${name} rc=${rc}]`;
	const said = lines
		.flatMap((line) => line.split("\n"))
		.filter((line) => line.trim() !== "");
	const shown = said
		.slice(0, MAX_LINES)
		.map((line) => `${prefix} ${line.slice(0, MAX_CHARS)}`);
	const left = said.length - shown.length;
	return left === 0
		? shown
		: [...shown, `${prefix} … ${left} more line(s) left out`];
}
