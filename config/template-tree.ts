/** The parsed template that values are compared with (contract 07 §5). */
import type { Files } from "../monitor/_sys/doors.ts";
import { exampleConfigPath } from "./choose.ts";
import { renderExample } from "./example.ts";
import { parseConfigText } from "./parse.ts";

/** The tracked file's tree; without a readable one, what the file should hold. */
export function templateTree(files: Files, root: string): unknown {
	const read = files.read(exampleConfigPath(root));
	const tracked = read.kind === "ok" ? parseConfigText(read.text).tree : null;
	return tracked ?? parseConfigText(renderExample()).tree;
}
