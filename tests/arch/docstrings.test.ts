/** What a reader is told of a function before he reads it. */
import { enforce } from "./law.ts";
import { product, type Source } from "./sources.ts";

const EXPORTED =
	/^export (?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?(?:\([^)]*\)[^=\n]*|\w+) =>)/gm;
/** The head of a module of `_state/` says which file it owns; its path has nothing to add. */
const isPathOfHead = (path: string, name: string) =>
	path.startsWith("monitor/_state/") && /(?:Path|Dir)$/.test(name);

enforce({
	law: "every exported function has a docstring",
	why: "shapes, units, errors and the reason are not to be read out of its body",
	files: product,
	forbidden: undocumented,
	breaks: [
		"export function f() {}",
		"export async function f() {}",
		"export const f = (a: string) => a;",
		"/** Of the file. */\n\nexport function f() {}",
		"// A remark.\nexport function f() {}",
	],
	allows: [
		"/** Why. */\nexport function f() {}",
		"/**\n * Why.\n */\nexport const f = async (a: string) => a;",
		"function f() {}",
		"export const LIMIT = 5;",
	],
});

function undocumented({ path, text }: Source): readonly number[] {
	return [...text.matchAll(EXPORTED)]
		.filter(({ index, 1: fn, 2: arrow }) => {
			const isTold = text.slice(0, index).endsWith("*/\n");
			return !isTold && !isPathOfHead(path, fn ?? arrow ?? "");
		})
		.map(({ index }) => index);
}
