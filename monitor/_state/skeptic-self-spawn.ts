/** `skeptic-self-spawn.log`: every time a reviewed worker was allowed to start its own reviewer, and why (contract 08 §8.1, exit 20). */
import { join } from "node:path";
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";

function skepticSelfSpawnPath(stateDir: string): string {
	return join(stateDir, "skeptic-self-spawn.log");
}

/** Makes the folder; line breaks in the reason become blanks. */
export function appendSelfSpawn(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	spawn: {
		readonly caller: string;
		readonly window: string;
		readonly target: string;
		readonly reason: string;
	},
): WriteResult {
	const { caller, window, target } = spawn;
	const reason = spawn.reason.replace(/[\r\n]+/g, " ");
	const line = `[${clock.iso()}] caller=${caller} window=${window} target=${target} reason=${reason}\n`;
	files.mkdir(stateDir);
	return files.append(skepticSelfSpawnPath(stateDir), line, { mode: 0o640 });
}
