/** The format of lists that people edit too: an entry a line; blanks around it, blank lines and `#` lines do not count (contract 02 §9). */
export function listEntries(text: string): readonly string[] {
	return text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"));
}
