/** Every exported `parse…` of the product, found by reading it: a new one is attacked without anybody's doing. */
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { product } from "../arch/sources.ts";

export interface FoundParser {
	/** `monitor/_state/kv.ts parseKv` */
	readonly name: string;
	readonly path: string;
	/** What stands behind `parse`. */
	readonly noun: string;
	/** What it takes first: a text, the words of a command line, or data. */
	readonly takes: "text" | "argv" | "data";
	/** Parameters that must be given beside the first. */
	readonly further: number;
	/** Words and keys that its own source names: they make its input look right. */
	readonly vocabulary: readonly string[];
}

const EXPORT =
	/^export function parse(\w+)(?:<\w+>)?\(([^)]*(?:\([^)]*\)[^)]*)*)\)/gm;

export const PARSERS: readonly FoundParser[] = product.flatMap((source) =>
	[...source.code.matchAll(EXPORT)].map(([, noun = "", list = ""]) => {
		const [first = "", ...more] = list
			.replace(/\([^)]*\)/g, "")
			.split(",")
			.map((one) => one.trim())
			.filter((one) => one !== "");
		return {
			name: `${source.path} parse${noun}`,
			path: source.path,
			noun,
			takes: takenBy(first),
			further: more.filter((one) => !one.includes("?")).length,
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
function vocabularyOf(text: string): readonly string[] {
	const found = [...text.matchAll(/"([^"\\\n]{1,30})"|\b([a-z]+_[a-z_]+)\b/g)];
	const words = found.map(([, quoted, key]) => quoted ?? key ?? "");
	return [...new Set(words)].filter((word) => !word.endsWith(".ts"));
}
