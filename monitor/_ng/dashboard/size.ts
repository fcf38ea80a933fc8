/** How large a dashboard has become (contract 05 §10.3). Pure; bytes are those of UTF-8, line ends included. */
import {
	DASH_MAX_BYTES,
	DASH_MAX_ENTRY_BYTES,
	DASH_MAX_SECTION_BYTES,
	DASH_MAX_SECTION_ENTRIES,
} from "./sections.ts";

export interface SectionSize {
	readonly heading: string;
	readonly bytes: number;
	readonly lines: number;
	readonly entries: number;
	readonly largestEntry: number;
}

/** One a `## ` line; text before the first one is `(preamble)`. */
export function sectionSizes(middle: string): readonly SectionSize[] {
	const sections: { heading: string; lines: string[] }[] = [];
	for (const line of linesOf(middle)) {
		if (line.startsWith("## ") || sections.length === 0)
			sections.push({
				heading: line.startsWith("## ") ? line.trimEnd() : "(preamble)",
				lines: [],
			});
		sections.at(-1)?.lines.push(line);
	}
	return sections.map(sizeOf);
}

/** Bytes of the part between the markers. */
export function wholeBytes(middle: string): number {
	return Buffer.byteLength(middle);
}

/** Whatever is over its limit, one line each. */
export function oversize(middle: string): readonly string[] {
	const whole = wholeBytes(middle);
	return [
		...(whole > DASH_MAX_BYTES
			? [`whole dashboard is ${whole} bytes (budget ${DASH_MAX_BYTES})`]
			: []),
		...sectionSizes(middle).flatMap(sectionFindings),
	];
}

/** One sentence for each budget that is exceeded. */
export function sectionFindings(s: SectionSize): readonly string[] {
	const { heading, bytes, entries, largestEntry } = s;
	return [
		...(bytes > DASH_MAX_SECTION_BYTES
			? [`${heading} is ${bytes} bytes (budget ${DASH_MAX_SECTION_BYTES})`]
			: []),
		...(entries > DASH_MAX_SECTION_ENTRIES
			? [
					`${heading} has ${entries} entries (budget ${DASH_MAX_SECTION_ENTRIES})`,
				]
			: []),
		...(largestEntry > DASH_MAX_ENTRY_BYTES
			? [
					`${heading} has a single entry of ${largestEntry} bytes (budget ${DASH_MAX_ENTRY_BYTES})`,
				]
			: []),
	];
}

/** Goes with every report of findings. */
export const REMEDY: readonly string[] = [
	"reconcile In-flight with tmux list-windows: a window that is gone has no line",
	"move narrative into a report (ng report-init), and leave one line with its link",
	"an Awaiting item is shortened, never dropped",
	"archive first: ng dashboard get, and ng upload of what it printed",
	"the limits are the DASH_MAX_ constants beside the list of sections",
];

function sizeOf({
	heading,
	lines,
}: {
	readonly heading: string;
	readonly lines: readonly string[];
}): SectionSize {
	const entries: number[] = [];
	for (const line of lines) {
		if (isEntry(line)) entries.push(0);
		const last = entries.length - 1;
		if (last >= 0)
			entries[last] = (entries[last] ?? 0) + Buffer.byteLength(line);
	}
	return {
		heading,
		bytes: Buffer.byteLength(lines.join("")),
		lines: lines.length,
		entries: entries.length,
		largestEntry: Math.max(0, ...entries),
	};
}

/** A list item at the margin, or a row of a table; the line below a table's head is neither. */
function isEntry(line: string): boolean {
	if (/^(?:[-*+]|\d+[.)]) /.test(line)) return true;
	return /^\s*\|/.test(line) && !/^[|:\-\s]*$/.test(line);
}

/** With their line ends. */
function linesOf(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
