/** The source of the house, as the laws read it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { blankComments } from "./blank-comments.ts";

export interface Source {
	/** Relative to the code root. */
	readonly path: string;
	readonly text: string;
	/** The text with every comment blanked; lines and columns stay where they are. */
	readonly code: string;
}

const PRODUCT = ["config/**/*.ts", "monitor/**/*.ts", "resources/**/*.ts"];
const AROUND = ["tests/**/*.ts", "bench/**/*.ts", "sim/**/*.ts"];

/** What runs at the operator's: no tests, no benches. */
export const product: readonly Source[] = PRODUCT.flatMap(read);
export const everything: readonly Source[] = [
	...product,
	...AROUND.flatMap(read),
];

/** Files of any kind, texts for people included, as git knows them. */
export function trackedFiles(): readonly Source[] {
	const listed = Bun.spawnSync(["git", "ls-files", "-z"], {
		env: process.env,
		cwd: CODE_ROOT,
	});
	return listed.stdout
		.toString()
		.split("\0")
		.filter(
			(path) => path !== "" && !/^(tests\/fixtures\/|package-lock)/.test(path),
		)
		.flatMap(readOne);
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

function read(pattern: string): readonly Source[] {
	const found = [...new Bun.Glob(pattern).scanSync({ cwd: CODE_ROOT })];
	return found
		.filter((path) => !path.includes("fixtures/"))
		.sort()
		.flatMap(readOne);
}

function readOne(path: string): readonly Source[] {
	let text: string;
	try {
		text = readFileSync(join(CODE_ROOT, path), "utf8");
	} catch {
		// A symlink to a folder, or a file that was deleted but not yet committed.
		return [];
	}
	const code = path.endsWith(".ts") ? blankComments(text) : text;
	return [{ path, text, code }];
}
