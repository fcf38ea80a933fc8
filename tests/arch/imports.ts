/** Imports of a file, read from its text. Type-only ones leave no trace in what runs and are left out. */
import { posix } from "node:path";
import type { Source } from "./sources.ts";

export interface Import {
	readonly offset: number;
	readonly specifier: string;
	/** Path of the imported file relative to the code root, or null for a package. */
	readonly path: string | null;
}

const STATEMENT =
	/^[ \t]*(?:import|export)\s+(type\s+)?([^"';]*?)\s*from\s*["']([^"']+)["']/gm;
const BARE = /^[ \t]*import\s*["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g;
/** `typeof import("x")` and `import("x").T` are types. */
const TYPE_POSITION = /(typeof\s+|:\s*|<\s*)$/;

export function importsOf(source: Source): readonly Import[] {
	const { code } = source;
	const found: Import[] = [];
	const add = (offset: number, specifier: string) => {
		const path = specifier.startsWith(".")
			? posix.join(posix.dirname(source.path), specifier)
			: null;
		found.push({ offset, specifier, path });
	};
	for (const m of code.matchAll(STATEMENT))
		if (m[1] === undefined && !onlyTypes(m[2] ?? "")) add(m.index, m[3] ?? "");
	for (const m of code.matchAll(BARE)) add(m.index, m[1] ?? "");
	for (const m of code.matchAll(DYNAMIC))
		if (!TYPE_POSITION.test(code.slice(0, m.index))) add(m.index, m[1] ?? "");
	return found;
}

/** `{ type A, type B }`. */
function onlyTypes(clause: string): boolean {
	const inside = /^\{([\s\S]*)\}$/.exec(clause.trim())?.[1];
	if (inside === undefined) return false;
	const names = inside.split(",").filter((name) => name.trim() !== "");
	return names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}
