/** The comment that tells a thread of a report (contract 05 §8.3). Pure. */
import { reportTitle, type Teaser, teaser } from "./teaser.ts";

const URL_TOKEN = "{{REPORT_URL}}";

export interface Composition {
	/** With `--comment-body-file`: its text. */
	readonly given: string | null;
	readonly report: string;
	readonly basename: string;
	readonly url: string;
}

export type Composed =
	| { readonly kind: "ok"; readonly body: string }
	| { readonly kind: "degenerate" };

/**
 * A given text gets the report's address; else the comment is made from the report. `degenerate`: its summary says
 * nothing.
 */
export function composeComment(c: Composition): Composed {
	if (c.given !== null) return { kind: "ok", body: withUrl(c.given, c.url) };
	const quoted = teaser(c.report);
	if (quoted.kind === "degenerate") return quoted;
	return { kind: "ok", body: fromReport(c, quoted) };
}

function withUrl(text: string, url: string): string {
	return text.includes(URL_TOKEN)
		? text.replaceAll(URL_TOKEN, () => url)
		: `${text}\n\nFull report: ${url}`;
}

function fromReport(
	{ report, basename, url }: Composition,
	quoted: Exclude<Teaser, { kind: "degenerate" }>,
): string {
	const title = reportTitle(report);
	if (title === null) return `## ${basename}\n\nReport: ${url}\n`;
	const paragraph = quoted.kind === "ok" ? `${quoted.text}\n\n` : "";
	return `## ${title}\n\n${paragraph}Full report: ${url}\n`;
}
