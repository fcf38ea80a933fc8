#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Writes the two files that follow from the rows: the template and the reference page. */
import { join } from "node:path";
import { realFiles } from "../monitor/_sys/files.ts";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { renderExample } from "./example.ts";
import { renderReference } from "./reference.ts";

/** Path relative to the checkout, and text. */
export function generated(): readonly (readonly [string, string])[] {
	return [
		["config/nexus.example.yml", renderExample()],
		["docs/config-reference.md", renderReference()],
	];
}

if (import.meta.main) {
	const files = realFiles();
	files.mkdir(join(CODE_ROOT, "docs"));
	for (const [path, text] of generated()) {
		const wrote = files.writeAtomic(join(CODE_ROOT, path), text);
		if (wrote.kind === "failed") {
			console.error(`generate: ${path}: ${wrote.reason}`);
			process.exit(1);
		}
		console.log(path);
	}
}
