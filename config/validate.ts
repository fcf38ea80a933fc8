/** Is a parsed file usable? All problems in one run, with their places (contract 07 §6.2). */
import { fileSchema } from "./file-schema.ts";
import type { ConfigIssue } from "./issues.ts";
import type { Places } from "./places.ts";
import { printGot } from "./report.ts";
import { getPath } from "./tree.ts";

/** Its rows never change, and building it costs more than a reading. */
let schema: ReturnType<typeof fileSchema> | null = null;

/** Sorted by line. An empty answer means that every value of the tree can be read. */
export function validateTree(
	tree: unknown,
	places: Places,
): readonly ConfigIssue[] {
	schema ??= fileSchema();
	const parsed = schema.safeParse(tree);
	const found = parsed.success ? [] : parsed.error.issues;
	return found
		.map((problem): ConfigIssue => {
			const path = problem.path.filter((step) => typeof step !== "symbol");
			const key = path.filter((step) => typeof step === "string").join(".");
			const expected =
				problem.code === "custom" ? problem.message : "a mapping";
			const got = printGot(key, getPath(tree, path));
			const message = `expected ${expected}, got ${got}`;
			return { key, ...places.value(path), message, expected, got };
		})
		.sort(byPlace);
}

function byPlace(a: ConfigIssue, b: ConfigIssue): number {
	return (a.line ?? 0) - (b.line ?? 0) || (a.col ?? 0) - (b.col ?? 0);
}
