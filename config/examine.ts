/** The full reading of a text: parsed, validated, warned about. Loads the parser and the validator. */
import { fileWarnings } from "./file-warnings.ts";
import type { ConfigIssue } from "./issues.ts";
import { parseConfigText } from "./parse.ts";
import type { Places } from "./places.ts";
import { validateTree } from "./validate.ts";

export interface Examined {
	/** Null when the text is no tree at all. */
	readonly tree: unknown;
	/** Sorted by line; empty means usable. */
	readonly issues: readonly ConfigIssue[];
	readonly warnings: readonly ConfigIssue[];
	readonly places: Places;
	/** The text itself could not be read as a tree; what is wrong with single values is not known. */
	readonly malformed: boolean;
}

/**
 * Pure. A text that is no configuration at all has no tree and is `malformed`; one with bad rows keeps its tree, so
 * that all of them can be named.
 */
export function examine(text: string): Examined {
	const { tree, issues, warnings, places } = parseConfigText(text);
	if (issues.length > 0)
		return { tree: null, issues, warnings, places, malformed: true };
	return {
		tree,
		issues: validateTree(tree, places),
		warnings: [...warnings, ...fileWarnings(tree, places)],
		places,
		malformed: false,
	};
}
