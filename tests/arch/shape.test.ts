/** Size, types and words. */
import { enforce } from "./law.ts";
import { everything, product, trackedFiles } from "./sources.ts";

const LONGEST_FILE = 250;

enforce({
	law: `no file is longer than ${LONGEST_FILE} lines`,
	why: "a file is one noun; a longer one has two in it",
	files: everything.filter(({ path }) => !path.startsWith("tests/")),
	forbidden: ({ text }) =>
		text.split("\n").length > LONGEST_FILE + 1 ? [0] : [],
});

enforce({
	law: "the compiler is not silenced",
	why: "a type that lies is worse than none",
	// This file quotes what is forbidden.
	files: everything.filter(({ path }) => path !== "tests/arch/shape.test.ts"),
	forbidden:
		/@ts-(?:ignore|nocheck|expect-error)|\bas any\b|[:<|,]\s*any\b(?!\w|\s*[:(])|\bany\[\]|\bas unknown as\b/,
	breaks: [
		"let x: any;",
		"f(x as any)",
		"const m: Map<string, any>",
		"let l: any[]",
		"x as unknown as Y",
	],
	allows: ["if (any) return", "const any = 1", "// : any"],
});

enforce({
	law: "an object is written out",
	why: "in a literal that is spread the compiler lets a misspelt key pass",
	files: product,
	forbidden: /\.\.\.\{(?![^{}]*\}\[)/,
	breaks: ["f({ ...{ a, b } })", "({\n\t...{ kind: 1 },\n})"],
	allows: [
		"{ ...known, ...(isOn ? { a } : {}) }",
		"...{ a: [], b: [] }[scope]",
	],
});

enforce({
	law: "an unfinished thought is not left in the code",
	why: "it is done, or it is written down where somebody looks",
	files: product.map((source) => ({ ...source, code: source.text })),
	forbidden: new RegExp(`\\b(?:TO${"DO"}|FIX${"ME"}|HA${"CK"}|XX${"X"})\\b`),
});

enforce({
	law: "nothing names the machine or the papers it was built with",
	why: "the house is read by strangers",
	files: trackedFiles().map((source) => ({ ...source, code: source.text })),
	forbidden: new RegExp(
		`/work/(?:sha${"red"}|ma${"in"}|\\.libr${"ary"})|shared/contr${"act"}|contract/0\\d-`,
	),
});
