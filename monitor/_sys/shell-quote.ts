/** A word for a POSIX shell: in single quotes nothing has a meaning but the quote itself. */
export function shellQuote(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}
