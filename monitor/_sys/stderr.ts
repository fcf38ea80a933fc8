/** Words of a program about itself, to whoever called it. */

/** Line feeds and tabs stay; any other control character shows as `?`: an echoed word must not steer the terminal. */
export function harmless(text: string): string {
	return text
		.replaceAll("\r\n", "\n")
		.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "?");
}

/** One line, or some, to standard error. */
export function complain(text: string): void {
	process.stderr.write(`${harmless(text)}\n`);
}
