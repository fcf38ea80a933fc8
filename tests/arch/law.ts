/** A law of the house: what is forbidden where, why, and who may all the same. */
import { expect, test } from "bun:test";
import { blankComments } from "./blank-comments.ts";
import { lineAt, type Source } from "./sources.ts";

export interface Law {
	/** The sentence that a violation breaks. */
	readonly law: string;
	readonly why: string;
	readonly files: readonly Source[];
	/** Looked for in the code; or offsets of violations found by hand. */
	readonly forbidden: RegExp | ((source: Source) => readonly number[]);
	/** Code that breaks the law, and code that merely looks like it: a law that notices nothing protects nothing. */
	readonly breaks?: readonly string[];
	readonly allows?: readonly string[];
	/** Exceptions, each with its reason: a path, or the front of one. */
	readonly except?: Readonly<Record<string, string>>;
}

/** Registers the test of a law: nobody breaks it, and no exception has outlived its need. */
export function enforce(law: Law): void {
	const { files, except = {}, breaks = [], allows = [] } = law;
	const broken: string[] = [];
	const used = new Set<string>();
	for (const source of files)
		for (const offset of breaches(law, source)) {
			const excuse = Object.keys(except).find((p) => source.path.startsWith(p));
			if (excuse !== undefined) used.add(excuse);
			else broken.push(describe(law, source, offset));
		}
	test(law.law, () => {
		expect(broken).toEqual([]);
		expect(Object.keys(except).filter((p) => !used.has(p))).toEqual([]);
	});
	if (breaks.length + allows.length === 0) return;
	test(`${law.law}: a breach is noticed`, () => {
		const noticed = (code: string) =>
			breaches(law, { path: "x.ts", text: code, code: blankComments(code) })
				.length > 0;
		expect(breaks.filter((code) => !noticed(code))).toEqual([]);
		expect(allows.filter(noticed)).toEqual([]);
	});
}

function breaches({ forbidden }: Law, source: Source): readonly number[] {
	if (typeof forbidden === "function") return forbidden(source);
	const all = new RegExp(forbidden, "gm");
	return [...source.code.matchAll(all)].map((match) => match.index);
}

function describe({ law, why }: Law, source: Source, offset: number): string {
	const line = lineAt(source.text, offset);
	const shown = source.text.split("\n")[line - 1]?.trim() ?? "";
	return `${source.path}:${line}: ${law} (${why}): ${shown}`;
}
