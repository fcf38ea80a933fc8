/** A law of the house: what is forbidden where, why, and who may all the same. */
import { expect, test } from "bun:test";
import { lineAt, type Source } from "./sources.ts";

export interface Law {
	/** The sentence that a violation breaks. */
	readonly law: string;
	readonly why: string;
	readonly files: readonly Source[];
	/** Looked for in the code; or offsets of violations found by hand. */
	readonly forbidden: RegExp | ((source: Source) => readonly number[]);
	/** Exceptions, each with its reason: a path, or the front of one. */
	readonly except?: Readonly<Record<string, string>>;
}

/** Registers the test of a law, and one that no exception has outlived its need. */
export function enforce({
	law,
	why,
	files,
	forbidden,
	except = {},
}: Law): void {
	const find =
		typeof forbidden === "function"
			? forbidden
			: (source: Source) =>
					[...source.code.matchAll(new RegExp(forbidden, "gm"))].map(
						(match) => match.index,
					);
	const used = new Set<string>();
	const broken: string[] = [];
	for (const source of files)
		for (const offset of find(source)) {
			const excuse = Object.keys(except).find((p) => source.path.startsWith(p));
			if (excuse !== undefined) used.add(excuse);
			else broken.push(describe(source, offset, law, why));
		}
	test(law, () => {
		expect(broken).toEqual([]);
	});
	if (Object.keys(except).length === 0) return;
	test(`${law}: every exception is still needed`, () => {
		expect(Object.keys(except).filter((p) => !used.has(p))).toEqual([]);
	});
}

function describe(
	source: Source,
	offset: number,
	law: string,
	why: string,
): string {
	const line = lineAt(source.text, offset);
	const shown = source.text.split("\n")[line - 1]?.trim() ?? "";
	return `${source.path}:${line}: ${law} (${why}): ${shown}`;
}
