/** Verbs that another program carries out: it gets our arguments and streams, and its exit code is ours (contract 05 §13.3). */
import { type ProgramName, programArgv } from "../_sys/names.ts";
import type { NgVerb } from "./verb.ts";

/** Exit code 1 when the program could not be started. */
export function facade(program: ProgramName): { readonly run: NgVerb } {
	return {
		run: async (args, { doors, codeRoot, err }) => {
			const { proc } = doors;
			const rc = await proc.foreground(
				programArgv(proc.execPath, program, args, codeRoot),
			);
			if (rc === null) err(`could not start ${program}`);
			return rc ?? 1;
		},
	};
}
