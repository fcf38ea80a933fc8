/** The date of a report: of its name, else of its frontmatter (contract 01 §21). */
import { fieldOf, splitFrontmatter } from "../../_state/frontmatter.ts";

const DATE = /\d{4}-\d{2}-\d{2}/;

/** The first date in the name, possible or not: a name that says `2026-13-01` is not overruled by its text. */
export function dateInName(name: string): string | null {
	return DATE.exec(name)?.[0] ?? null;
}

/** `date: 2026-03-14`, quoted or with a time of day. */
export function dateInFrontmatter(text: string): string | null {
	const value = fieldOf(splitFrontmatter(text), "date");
	return /^["']?(\d{4}-\d{2}-\d{2})/.exec(value)?.[1] ?? null;
}
