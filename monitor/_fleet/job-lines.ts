/** The output of a job as lines, and which of them match (contract 09 §7.2). Pure. */

const LINE_BYTES = 2048;
const CUT = `[line truncated, original length ≥ ${LINE_BYTES} bytes]`;

/** Null: the pattern does not compile. A leading `(?i)` ignores case. */
export function compileMatch(pattern: string): RegExp | null {
	const ignoreCase = pattern.startsWith("(?i)");
	try {
		return ignoreCase
			? new RegExp(pattern.slice("(?i)".length), "i")
			: new RegExp(pattern);
	} catch {
		return null;
	}
}

/** Without `\r`; a long line is cut, and a line behind it says so. */
export function outputLines(output: string): readonly string[] {
	const lines = output.replaceAll("\r", "").split("\n");
	if (lines.at(-1) === "") lines.pop();
	if (!lines.some(isLong)) return lines;
	return lines.flatMap((line) =>
		isLong(line)
			? [lastWhole(Buffer.from(line).subarray(0, LINE_BYTES)), CUT]
			: [line],
	);
}

/** A character has three bytes at most for each unit of its text: most lines need not be counted. */
function isLong(line: string): boolean {
	return line.length * 3 >= LINE_BYTES && Buffer.byteLength(line) >= LINE_BYTES;
}

/** The end of the output, at most so many bytes, without a torn character. */
export function outputTail(output: string, bytes: number): string {
	const all = Buffer.from(output.trimEnd());
	let from = Math.max(0, all.length - bytes);
	while (from < all.length && ((all[from] ?? 0) & 0xc0) === 0x80) from++;
	return all.subarray(from).toString();
}

/** The text of bytes that may end in the middle of a character. */
function lastWhole(bytes: Buffer): string {
	return bytes.toString().replace(/\ufffd$/, "");
}
