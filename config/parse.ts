/** Text to tree, with the place of every value (contract 07 §3). The one user of the YAML parser. */
import { type Document, LineCounter, parseDocument } from "yaml";
import type { ConfigIssue, Position } from "./issues.ts";
import { locate, type Places } from "./places.ts";
import { isMapping } from "./tree.ts";

export interface ParsedConfig {
	/** Plain data; `{}` for an empty file, null when `issues` say that the text cannot be read. */
	readonly tree: unknown;
	readonly issues: readonly ConfigIssue[];
	readonly warnings: readonly ConfigIssue[];
	readonly places: Places;
}

/**
 * YAML 1.2 core, whatever a `%YAML` line says. Never throws. When there are issues the tree is not
 * to be used: half a file is not the operator's configuration.
 */
export function parseConfigText(text: string): ParsedConfig {
	const lines = new LineCounter();
	// A byte-order mark would move every column of the first line.
	const doc = parseDocument(text.replace(/^\ufeff/, ""), {
		lineCounter: lines,
		merge: true,
		schema: "core",
		prettyErrors: false,
		// Found by `locate`, which knows the key.
		uniqueKeys: false,
	});
	const at = (offset: number): Position => lines.linePos(offset);
	const { places, issues } = locate(doc, at);
	const broken = [...doc.errors.map((e) => issueOf(e, at)), ...issues];
	const warnings = doc.warnings.map((w) => issueOf(w, at));
	if (broken.length > 0)
		return { tree: null, issues: broken, warnings, places };
	return { ...plain(doc), warnings, places };
}

function plain(doc: Document): {
	readonly tree: unknown;
	readonly issues: readonly ConfigIssue[];
} {
	try {
		const tree: unknown = doc.toJS() ?? {};
		if (isMapping(tree)) return { tree, issues: [] };
		const message = "top level must be a mapping";
		return { tree: null, issues: [{ key: "", line: 1, col: 1, message }] };
	} catch (error) {
		// An alias that is used a hundred times over.
		const message = error instanceof Error ? firstLine(error.message) : "";
		return { tree: null, issues: [{ key: "", line: 1, col: 1, message }] };
	}
}

function issueOf(
	error: { readonly message: string; readonly pos: [number, number] },
	at: (offset: number) => Position,
): ConfigIssue {
	return { key: "", ...at(error.pos[0]), message: firstLine(error.message) };
}

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
