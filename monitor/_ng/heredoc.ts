/** A text between two marks, as `process` and `show --meta` print it (contract 05 §4.2). Pure. */

/**
 * Lines `<name><<EOF`, the text, `EOF`. A text that holds such a line itself gets another mark: its author must not be
 * able to end it, and to go on in our name.
 */
export function heredoc(name: string, text: string): readonly string[] {
	const lines = new Set(text.split(/[\r\n]/).map((line) => line.trim()));
	let mark = "EOF";
	for (let n = 1; lines.has(mark); n++) mark = `EOF_${n}`;
	return [`${name}<<${mark}`, text, mark];
}
