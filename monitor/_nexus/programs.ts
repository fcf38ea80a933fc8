/** Verbs that another program carries out: it gets our terminal and its exit code is ours. */
import { type ProgramName, programArgv } from "../_sys/names.ts";
import type { Verb } from "./verb.ts";

/** A verb that runs one of our programs with `fixed` arguments, then the caller's. */
export function handsOverTo(
	name: ProgramName,
	fixed: readonly string[] = [],
): Verb {
	return async (args, { doors, codeRoot, print }) => {
		const { proc } = doors;
		const all = [...fixed, ...args];
		const argv = programArgv(proc.execPath, name, all, codeRoot);
		const rc = await proc.foreground(argv);
		if (rc === null) print(`nexus: could not start ${argv.join(" ")}`);
		return rc ?? 1;
	};
}
