/** What a usable file says that it should not: unknown, retired, deprecated and unread keys, `yes` for true (contract 07 §6.3). */
import type { ConfigIssue } from "./issues.ts";
import { didYouMean, kindOfKey } from "./known-keys.ts";
import { readFileValue } from "./leaf-values.ts";
import type { Leaf } from "./leaves.ts";
import type { Places } from "./places.ts";
import { printGot } from "./report.ts";
import { isSkipped, RETIRED } from "./retired.ts";
import { FILE_KEYS, isFileKey } from "./schema.ts";
import { isMapping } from "./tree.ts";

/** In file order. An unknown mapping is reported once, at its topmost key. */
export function fileWarnings(
	tree: unknown,
	places: Places,
): readonly ConfigIssue[] {
	const warnings: ConfigIssue[] = [];
	const visit = (value: unknown, path: readonly string[]): void => {
		if (!isMapping(value)) return;
		for (const [name, inner] of Object.entries(value)) {
			const own = [...path, name];
			const key = own.join(".");
			const kind = kindOfKey(key);
			if (kind === "section") visit(inner, own);
			const message =
				kind === "leaf" ? aboutLeaf(key, inner) : aboutOther(key, kind);
			if (message !== null) warnings.push({ key, ...places.key(own), message });
		}
	};
	visit(tree, []);
	return warnings;
}

function aboutOther(key: string, kind: "section" | "unknown"): string | null {
	if (kind === "section" || isSkipped(key)) return null;
	if (Object.hasOwn(RETIRED, key))
		return `${key} is retired (ignored): ${RETIRED[key]}`;
	const meant = didYouMean(key);
	const hint = meant === null ? "" : `; did you mean ${meant}?`;
	return `unknown key ${key} (ignored)${hint}`;
}

function aboutLeaf(key: string, value: unknown): string | null {
	if (!isFileKey(key) || value === null) return null;
	const row: Leaf<unknown> = FILE_KEYS[key];
	if (row.unread !== undefined && value !== "")
		return `${key} is not read yet (ignored): ${row.unread}`;
	if (row.deprecated !== undefined)
		return `${key} is deprecated: ${row.deprecated}`;
	const reading = readFileValue(row, value);
	if (reading.kind === "ok" && reading.unusualBoolean)
		return `${key}: use true or false instead of ${printGot(key, value)}`;
	return null;
}
