#!/usr/bin/env -S bun --no-env-file --config=/dev/null --no-install
/** Writes the files that follow from the rows: the template and the reference page. */
import { join } from "node:path";
import { realFiles } from "../monitor/_sys/files.ts";
import { CODE_ROOT } from "../monitor/_sys/names.ts";
import { complain } from "../monitor/_sys/stderr.ts";
import { generated } from "./generated.ts";

const files = realFiles();
files.mkdir(join(CODE_ROOT, "docs"));
for (const [path, text] of generated()) {
	const wrote = files.writeAtomic(join(CODE_ROOT, path), text);
	if (wrote.kind === "failed") {
		complain(`generate: ${path}: ${wrote.reason}`);
		process.exitCode = 1;
	} else console.log(path);
}
