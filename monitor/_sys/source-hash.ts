/**
 * What a program is made of, as one hash: the entry files and the closure of their relative imports, as
 * they stand on disk (contract 06 §9.1, §9.2). Two programs of equal hash run the same source.
 */
import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import type { Files } from "./doors.ts";

export type SourceHash =
	| {
			readonly kind: "ok";
			readonly hash: string;
			/** Paths relative to the root, sorted. */
			readonly files: readonly string[];
	  }
	/** A file is missing or unreadable: an update is in progress, and nothing follows from it. */
	| { readonly kind: "torn"; readonly path: string };

/** Type-only imports count as none: they leave no trace in what runs. */
export function sourceHash(
	files: Pick<Files, "read">,
	root: string,
	...entries: readonly string[]
): SourceHash {
	const sums = new Map<string, string>();
	const queue = entries.map((entry) => join(root, entry));
	for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
		const name = relative(root, path);
		if (sums.has(name)) continue;
		const read = files.read(path);
		if (read.kind !== "ok") return { kind: "torn", path };
		sums.set(name, sha256(read.text));
		for (const specifier of relativeImports(path, read.text))
			queue.push(join(dirname(path), specifier));
	}
	const names = [...sums.keys()].sort();
	const lines = names.map((name) => `${sums.get(name)} ${name}\n`).join("");
	return { kind: "ok", hash: sha256(lines), files: names };
}

const scanner = new Bun.Transpiler({ loader: "ts" });
/** The scanner takes a program's first line for a mistake. */
const SHEBANG = /^#!.*/;

function relativeImports(path: string, text: string): readonly string[] {
	if (!path.endsWith(".ts")) return [];
	return scanner
		.scanImports(text.replace(SHEBANG, ""))
		.map((found) => found.path)
		.filter((specifier) => specifier.startsWith("."));
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
