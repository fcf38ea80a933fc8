/** Are the sections there, each once (contract 05 §10.2)? Pure. A section that is split in two would pass every limit twice. */
import { IDENTITY_ALIAS, SECTIONS } from "./sections.ts";

export interface Heading {
	readonly text: string;
	/** 1 is the first. */
	readonly line: number;
}

/** `## ` lines outside fenced blocks. */
function headingsOf(text: string): readonly Heading[] {
	let isFenced = false;
	return text.split("\n").flatMap((raw, i) => {
		const line = raw.replace(/\r$/, "");
		if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
		return !isFenced && line.startsWith("## ")
			? [{ text: line, line: i + 1 }]
			: [];
	});
}

export interface HeadingFindings {
	/** One line each; a near miss is named with it. */
	readonly missing: readonly string[];
	readonly duplicate: readonly string[];
	/** Different texts that read alike. */
	readonly notes: readonly string[];
}

/** `whole`: the text, or the region when only that is known. */
export function checkHeadings(region: string, whole: string): HeadingFindings {
	const all = headingsOf(whole);
	const inside = headingsOf(region);
	const known: readonly string[] = SECTIONS.map((s) => s.heading);
	const isThere = (heading: string) =>
		all.some(
			({ text }) =>
				text === heading ||
				(heading === "## Identity" && text === IDENTITY_ALIAS),
		);
	const missing = known.filter((heading) => !isThere(heading));
	const others = inside.filter(({ text }) => !known.includes(text));
	return {
		missing: missing.map((heading) => {
			const near = all.find(
				({ text }) => text !== heading && keyOf(text) === keyOf(heading),
			);
			return near === undefined
				? heading
				: `${heading} (near miss in line ${near.line}: ${near.text})`;
		}),
		duplicate: [
			...known.flatMap((heading) => repeatOf(all, heading)),
			...[...new Set(others.map(({ text }) => text))].flatMap((heading) =>
				repeatOf(others, heading),
			),
		],
		notes: nearDuplicates(inside),
	};
}

function repeatOf(
	among: readonly Heading[],
	heading: string,
): readonly string[] {
	const lines = among.flatMap(({ text, line }) =>
		text === heading ? [line] : [],
	);
	return lines.length > 1
		? [`${heading} stands ${lines.length} times (lines ${lines.join(", ")})`]
		: [];
}

function nearDuplicates(headings: readonly Heading[]): readonly string[] {
	const alike = Map.groupBy(headings, ({ text }) => keyOf(text));
	return [...alike.values()].flatMap((group) => {
		const texts = [...new Set(group.map(({ text }) => text))];
		return texts.length > 1 ? [`read alike: ${texts.join(" / ")}`] : [];
	});
}

function keyOf(heading: string): string {
	return heading
		.replace(/^## /, "")
		.replace(/^[^\p{L}\p{N}]+/u, "")
		.replace(/(?:[—–:]| - ).*$/, "")
		.trim()
		.toLowerCase();
}
