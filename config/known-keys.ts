/** Which dotted names mean something, and which known one a misspelled name stands for. */

import { RUNTIME_NAME } from "./schema/fleet.ts";
import { FILE_KEYS, isFileKey } from "./schema.ts";

const OPEN_MAP = /^monitor\.fleet\.runtimes\.([^.]+)(\.command)?$/;

export type KeyKind = "leaf" | "section" | "unknown";

/**
 * A dotted name: a value of its own, a section that holds some, or nothing we know. Runtimes are an open map, so any
 * well-formed name counts there.
 */
export function kindOfKey(key: string): KeyKind {
	if (isFileKey(key)) return "leaf";
	const runtime = OPEN_MAP.exec(key);
	if (runtime?.[1] && RUNTIME_NAME.test(runtime[1]))
		return runtime[2] ? "leaf" : "section";
	return SECTION_NAMES.has(key) ? "section" : "unknown";
}

/** The known key of the same parent within edit distance 2, the nearest first. */
export function didYouMean(key: string): string | null {
	const at = key.lastIndexOf(".") + 1;
	const parent = key.slice(0, at);
	const name = key.slice(at);
	let best: { readonly key: string; readonly distance: number } | null = null;
	for (const known of CHILDREN.get(parent) ?? []) {
		const distance = editDistance(name, known);
		if (distance <= 2 && (best === null || distance < best.distance))
			best = { key: parent + known, distance };
	}
	return best?.key ?? null;
}

/** Levenshtein's, over short names. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (const [i, left] of [...a].entries()) {
		const next = [i + 1];
		for (const [j, right] of [...b].entries())
			next.push(
				Math.min(
					(next[j] ?? 0) + 1,
					(row[j + 1] ?? 0) + 1,
					(row[j] ?? 0) + (left === right ? 0 : 1),
				),
			);
		row = next;
	}
	return row[b.length] ?? 0;
}

/** Names below each parent; a parent is `""` or ends in a dot. */
const CHILDREN = new Map<string, Set<string>>();
const SECTION_NAMES = new Set<string>();
for (const key of Object.keys(FILE_KEYS)) {
	let parent = "";
	const names = key.split(".");
	for (const [depth, name] of names.entries()) {
		const siblings = CHILDREN.get(parent) ?? new Set();
		CHILDREN.set(parent, siblings.add(name));
		if (depth < names.length - 1) SECTION_NAMES.add(parent + name);
		parent = `${parent}${name}.`;
	}
}
