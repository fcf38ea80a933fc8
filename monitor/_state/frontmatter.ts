/** Fields at the head of a Markdown file, between two `---` lines (contract 08 §6.1). */

export interface Frontmatter {
	readonly fields: readonly string[];
	/** What follows the closing fence; the whole text when there is no fence. */
	readonly body: string;
}

/** A fence that never closes is none: body text must not be able to supply a field. */
export function splitFrontmatter(text: string): Frontmatter {
	const lines = text.split("\n");
	const end = isFence(lines[0]) ? lines.findIndex(closes) : -1;
	if (end < 0) return { fields: [], body: text };
	return {
		fields: lines.slice(1, end),
		body: lines.slice(end + 1).join("\n"),
	};
}

/** Value of the first line `key:`, without its leading blanks; empty when there is none. */
export function fieldOf(matter: Frontmatter, key: string): string {
	const line = matter.fields.find((l) => l.startsWith(`${key}:`));
	return line?.slice(key.length + 1).replace(/^[ \t]+/, "") ?? "";
}

function isFence(line: string | undefined): boolean {
	return line !== undefined && /^---[ \t]*$/.test(line);
}

function closes(line: string, index: number): boolean {
	return index > 0 && isFence(line);
}
