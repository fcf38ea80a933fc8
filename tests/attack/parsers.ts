/** Every exported reader of the product, `parse…` or of `unknown`, found in its source: a new one is attacked without anybody's doing. */
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { product } from "../arch/sources.ts";

export interface FoundParser {
	/** `monitor/_state/kv.ts parseKv` */
	readonly name: string;
	readonly path: string;
	readonly export: string;
	/** What stands behind `parse`; the whole name where nothing does. */
	readonly noun: string;
	/** What it takes first: a text, the words of a command line, or data. */
	readonly takes: "text" | "argv" | "data";
	/** Parameters that must be given beside the first. */
	readonly further: number;
	/** Words and keys that its own source names: they make its input look right. */
	readonly vocabulary: readonly string[];
}

const EXPORT = /^export function (\w+)(?:<\w+>)?\(((?:[^()]|\([^()]*\))*)\)/gm;

export const PARSERS: readonly FoundParser[] = product.flatMap((source) =>
	[...source.code.matchAll(EXPORT)].flatMap(([, name = "", list = ""]) => {
		const [first = "", ...more] = list
			.replace(/\([^()]*\)/g, "")
			.split(",")
			.map((one) => one.trim())
			.filter((one) => one !== "");
		const takes = takenBy(first);
		if (!name.startsWith("parse") && takes !== "data") return [];
		return {
			name: `${source.path} ${name}`,
			path: source.path,
			export: name,
			noun: name.replace(/^parse/, ""),
			takes,
			further: more.filter((one) => !/\?|\.\.\./.test(one)).length,
			vocabulary: vocabularyOf(source.text),
		};
	}),
);

export type AnyFunction = (...given: readonly unknown[]) => unknown;

/** A function that a module of the product exports; null when it exports none of that name. */
export async function exported(
	path: string,
	name: string,
): Promise<AnyFunction | null> {
	const module: unknown = await import(join(CODE_ROOT, path));
	const found: unknown = Reflect.get(Object(module), name);
	return typeof found === "function"
		? (...given) => Reflect.apply(found, undefined, given)
		: null;
}

function takenBy(parameter: string): FoundParser["takes"] {
	if (/: readonly string\[\]$/.test(parameter)) return "argv";
	return /: unknown$/.test(parameter) ? "data" : "text";
}

/** Texts between quotes, short enough to be a key, a word or a prefix. */
export function vocabularyOf(text: string): readonly string[] {
	const found = [...text.matchAll(/"([^"\\\n]{1,30})"|\b([a-z]+_[a-z_]+)\b/g)];
	const words = found.map(([, quoted, key]) => quoted ?? key ?? "");
	return [...new Set(words)].filter((word) => !word.endsWith(".ts"));
}
