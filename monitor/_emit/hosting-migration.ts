/** A watcher that still lives in a tmux window of its own is told how to move out (contract 01 §20). Pure. */
import { join } from "node:path";
import { programName } from "../_sys/names.ts";
import { oneLine } from "./clean-text.ts";

/** `window` is the value of `WATCHER_WINDOW`; unset counts as legacy. */
export function isLegacyHosting(window: string | undefined): boolean {
	return window !== "headless";
}

/** The section body; `root` is where the programs are. */
export function migrationNotice(
	root: string,
	window: string | undefined,
): string {
	const shown = window === undefined || window === "" ? "<unset>" : window;
	return [
		`This watcher does not run headless (WATCHER_WINDOW='${oneLine(shown, 64)}'); it keeps working as it is.`,
		"To move it out of its window:",
		`  1. pull ${root} BEFORE restarting, so that the restart starts the new code;`,
		`  2. run ${join(root, programName("svc"))} restart watcher (it sweeps the old window);`,
		`  3. verify that ${join(root, programName("ng"))} watcher-status shows \`hosting: headless\`.`,
		"This notice is emitted once per watcher start.",
	]
		.map((line) => `${line}\n`)
		.join("");
}
