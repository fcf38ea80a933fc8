/** Text of others may hold what steers a terminal, presses a key in a pane, or begins a line that looks like ours. Pure. */

/** One line: each run of control characters and line breaks is one blank. */
export function asOneLine(text: string): string {
	return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, " ");
}

/** Each control character shows as `?`. */
export function masked(text: string): string {
	return text.replace(/[\0-\x1f\x7f-\x9f]/g, "?");
}
