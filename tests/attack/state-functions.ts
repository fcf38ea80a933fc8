/** Every exported function of the memory that is handed the disk, found in its source: a new one is attacked without anybody's doing. */
import { product } from "../arch/sources.ts";
import { vocabularyOf } from "./parsers.ts";

export interface Parameter {
	readonly name: string;
	/** As it is written; empty where it is inferred. */
	readonly type: string;
}
export interface StateFunction {
	/** `monitor/_state/deferral.ts readDeferral` */
	readonly name: string;
	readonly path: string;
	readonly export: string;
	/** The first parameter: the disk alone, or a bundle of doors. */
	readonly takes: "files" | "doors";
	/** What must be given beside it. */
	readonly further: readonly Parameter[];
	readonly vocabulary: readonly string[];
}

const EXPORT = /^export (?:async )?function (\w+)(?:<[^(]*>)?\(/gm;

export const STATE_FUNCTIONS: readonly StateFunction[] = product
	.filter(({ path }) => path.startsWith("monitor/_state/"))
	.flatMap(({ path, code, text }) =>
		[...code.matchAll(EXPORT)].flatMap((match) => {
			const [first, ...more] = parametersAt(
				code,
				match.index + match[0].length,
			);
			const takes = first === undefined ? null : takenBy(first);
			if (takes === null) return [];
			const name = match[1] ?? "";
			return [
				{
					name: `${path} ${name}`,
					path,
					export: name,
					takes,
					further: more.filter(({ name }) => !name.endsWith("?")),
					vocabulary: vocabularyOf(text),
				},
			];
		}),
	);

function takenBy({ name, type }: Parameter): StateFunction["takes"] | null {
	if (/^(?:Files|EverydayFiles)$|^Pick<(?:Files|EverydayFiles),/.test(type))
		return "files";
	if (/\bDoors\b|^StateDoors|\bfiles: (?:Everyday)?Files\b/.test(type))
		return "doors";
	return name === "files" ? "files" : null;
}

/** From behind the bracket that opens them. */
function parametersAt(code: string, from: number): readonly Parameter[] {
	const found: string[] = [];
	let depth = 0;
	let start = from;
	for (let i = from; i < code.length; i++) {
		const c = code[i] ?? "";
		// The arrow of a function's type is no bracket.
		if ("([{<".includes(c)) depth++;
		if (")]}".includes(c) || (c === ">" && code[i - 1] !== "=")) depth--;
		if (depth < 0 || (depth === 0 && c === ",")) {
			found.push(code.slice(start, i).replace(/\s+/g, " ").trim());
			start = i + 1;
		}
		if (depth < 0) break;
	}
	return found.filter((one) => one !== "").map(parameterOf);
}

function parameterOf(text: string): Parameter {
	const pattern = /^(\{.*?\}|\w+)(\??)(?:: (.*?))?( = .*)?$/.exec(text);
	const [, name = text, optional = "", type = "", preset = ""] = pattern ?? [];
	return { name: preset === "" ? name + optional : `${name}?`, type };
}
