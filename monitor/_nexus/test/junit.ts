/** Counts from bun's JUnit report (pure). */

export interface Tally {
	readonly passed: number;
	readonly skipped: number;
	/** `file: test name`, one a failed test. */
	readonly failures: readonly string[];
}

/**
 * Counts the test cases of a report. A file that is not in it never ran (it did not load, or the run
 * died): that is a failure of its own, where bun's report would be silent.
 */
export function tally(xml: string, files: readonly string[]): Tally {
	const cases = [...xml.matchAll(CASE)].map((m) => ({
		attributes: m[1] ?? "",
		content: m[2] ?? "",
	}));
	const failed = cases.filter((c) => /<(failure|error)\b/.test(c.content));
	const skipped = cases.filter((c) => /<skipped\b/.test(c.content));
	const reported = new Set(cases.map((c) => attribute(c.attributes, "file")));
	const silent = files.filter((file) => !reported.has(file));
	return {
		passed: cases.length - failed.length - skipped.length,
		skipped: skipped.length,
		failures: [
			...failed.map((c) => caseName(c.attributes)),
			...silent.map((file) => `${file}: did not run to its end`),
		],
	};
}

/** Failures in the order of the tallies. */
export function sum(tallies: readonly Tally[]): Tally {
	return {
		passed: tallies.reduce((n, t) => n + t.passed, 0),
		skipped: tallies.reduce((n, t) => n + t.skipped, 0),
		failures: tallies.flatMap((t) => t.failures),
	};
}

const CASE =
	/<testcase\b((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g;

function caseName(attributes: string): string {
	const group = attribute(attributes, "classname");
	const name = attribute(attributes, "name");
	return `${attribute(attributes, "file")}: ${group === "" ? "" : `${group} > `}${name}`;
}

function attribute(attributes: string, name: string): string {
	const found = attributes.match(new RegExp(`\\s${name}="([^"]*)"`));
	return unescapeXml(found?.[1] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	amp: "&",
};

function unescapeXml(text: string): string {
	return text.replace(/&(#?\w+);/g, (whole, entity: string) =>
		entity.startsWith("#")
			? String.fromCodePoint(Number(entity.slice(1)))
			: (ENTITIES[entity] ?? whole),
	);
}
