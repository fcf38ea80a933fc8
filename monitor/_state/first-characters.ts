/** The start of a text, cut between characters and never within one. */
export function firstCharacters(text: string, count: number): string {
	// A character takes at most two units: a text of megabytes is not taken apart whole.
	return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
