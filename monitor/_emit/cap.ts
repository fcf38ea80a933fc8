/** The section cap (contract 01 §10.4). */
import { EXEMPT_HEADERS, isHeader, SIGNATURE_PREFIX } from "./sections.ts";

const DEFAULT_SECTION_MAX_LINES = 50;

/**
 * Keeps the first `max` lines of every section that is not exempt and says how many were left
 * out. A `max` that is no whole number counts as the default. Same input, same bytes.
 */
export function capSections(body: string, max: number): string {
	const limit = sectionLimit(max);
	const out: string[] = [];
	let kept = 0;
	let dropped = 0;
	let whole = true;
	const flush = (): void => {
		if (dropped > 0) out.push(omitted(dropped));
		dropped = 0;
	};
	const endsInNewline = body.endsWith("\n");
	for (const line of (endsInNewline ? body.slice(0, -1) : body).split("\n")) {
		if (isHeader(line)) {
			flush();
			whole = isExempt(line);
			kept = 0;
			out.push(line);
		} else if (whole || kept < limit) {
			kept++;
			out.push(line);
		} else {
			dropped++;
		}
	}
	flush();
	return out.join("\n") + (endsInNewline ? "\n" : "");
}

/** Of the lines of a section, so many are kept. */
export function sectionLimit(max: number): number {
	return Number.isInteger(max) && max >= 0 ? max : DEFAULT_SECTION_MAX_LINES;
}

function isExempt(header: string): boolean {
	return EXEMPT_HEADERS.has(header) || header.startsWith(SIGNATURE_PREFIX);
}

function omitted(lines: number): string {
	return `  [+${lines} more line${lines === 1 ? "" : "s"} omitted]`;
}
