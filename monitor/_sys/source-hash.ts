/**
 * What a program is made of, as one hash: the entry files and the closure of their relative imports, as
 * they stand on disk (contract 06 §9.1, §9.2). Two programs of equal hash run the same source.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join, relative } from "node:path";
import type { Files } from "./doors.ts";

export type SourceHash =
	| {
			readonly kind: "ok";
			readonly hash: string;
			/** Paths relative to the root, sorted. */
			readonly files: readonly string[];
	  }
	/** A file is missing, unreadable or cut in half: an update is in progress, and nothing follows from it. */
	| { readonly kind: "torn"; readonly path: string };

/** Where sources are read. With a memory, a file is read again only when its inode, size or time has changed. */
export type SourceFiles = Pick<Files, "read"> & { readonly memo?: SourceMemo };
interface SourceMemo {
	readonly stat: Files["stat"];
	readonly known: Map<string, ReadSource & { readonly stamp: string }>;
}
interface ReadSource {
	readonly sum: string;
	readonly imports: readonly string[];
}

/** For whoever asks again and again: a tick that finds nothing new costs a look at each file. */
export function rememberedSources({
	read,
	stat,
}: Pick<Files, "read" | "stat">): SourceFiles {
	return { read, memo: { stat, known: new Map() } };
}

/** Another package of the same program is no other program. */
const MANIFESTS = new Set(["package.json", "package-lock.json", "bun.lock"]);

/** Type-only imports count as none: they leave no trace in what runs. */
export function sourceHash(
	files: SourceFiles,
	root: string,
	...entries: readonly string[]
): SourceHash {
	const sums = new Map<string, string>();
	const queue = entries.map((entry) => join(root, entry));
	for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
		const name = relative(root, path);
		if (sums.has(name) || MANIFESTS.has(basename(name))) continue;
		const source = files.memo
			? rememberSource(files, files.memo, path)
			: readSource(files, path);
		if (source === null) return { kind: "torn", path };
		sums.set(name, source.sum);
		for (const specifier of source.imports)
			queue.push(join(dirname(path), specifier));
	}
	const names = [...sums.keys()].sort();
	const lines = names.map((name) => `${sums.get(name)} ${name}\n`).join("");
	return { kind: "ok", hash: sha256(lines), files: names };
}

function rememberSource(
	files: Pick<Files, "read">,
	{ stat, known }: SourceMemo,
	path: string,
): ReadSource | null {
	const found = stat(path);
	if (found.kind !== "ok") return null;
	const { ino, size, mtimeMs } = found.stat;
	const stamp = `${ino}:${size}:${mtimeMs}`;
	const before = known.get(path);
	if (before?.stamp === stamp) return before;
	const source = readSource(files, path);
	if (source !== null) known.set(path, { stamp, ...source });
	return source;
}

/** Null: it cannot be read, or is no program: half written, or with the marks of a merge in it. */
function readSource(
	files: Pick<Files, "read">,
	path: string,
): ReadSource | null {
	const read = files.read(path);
	if (read.kind !== "ok") return null;
	try {
		const imports = relativeImports(path, read.text);
		return { sum: sha256(read.text), imports };
	} catch {
		return null;
	}
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
