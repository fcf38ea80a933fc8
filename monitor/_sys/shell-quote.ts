/** A line that sets a variable for what the shell starts. */
export function shellExport([name, value]: readonly [string, string]): string {
	return `export ${name}=${shellQuote(value)}`;
}

/** A word for a POSIX shell: in single quotes nothing has a meaning but the quote itself. */
export function shellQuote(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same, for a line that people read: as it stands when that is one plain word. */
export function shellWord(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}
