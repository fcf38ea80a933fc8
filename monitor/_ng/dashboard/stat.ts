/** The table of `ng dashboard get --stat`. Pure. */
import {
	DASH_MAX_BYTES,
	DASH_MAX_ENTRY_BYTES,
	DASH_MAX_SECTION_BYTES,
	DASH_MAX_SECTION_ENTRIES,
} from "./sections.ts";
import { sectionFindings, sectionSizes, wholeBytes } from "./size.ts";

/** `cache` as it is to be told; sections over their budget are marked. */
export function renderStat(
	number: string,
	middle: string,
	cache: string,
): readonly string[] {
	const sections = sectionSizes(middle);
	const lines = sections.reduce((sum, s) => sum + s.lines, 0);
	return [
		`dashboard #${number}: ${wholeBytes(middle)} bytes, ${lines} lines, ${sections.length} sections (budget ${DASH_MAX_BYTES} bytes)`,
		"",
		row("bytes", "lines", "entries", "largest", "section", false),
		...sections.map((s) =>
			row(
				...([s.bytes, s.lines, s.entries, s.largestEntry] as const),
				s.heading,
				sectionFindings(s).length > 0,
			),
		),
		`budgets: section ${DASH_MAX_SECTION_BYTES} bytes, ${DASH_MAX_SECTION_ENTRIES} entries; entry ${DASH_MAX_ENTRY_BYTES} bytes`,
		`cache: ${cache}`,
	];
}

function row(
	bytes: string | number,
	lines: string | number,
	entries: string | number,
	largest: string | number,
	section: string,
	isOver: boolean,
): string {
	const numbers = [bytes, lines, entries, largest].map((n) =>
		String(n).padStart(8),
	);
	return `${isOver ? "!" : " "}${numbers.join("")}  ${section}`;
}
