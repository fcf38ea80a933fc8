/** What a verb of `./nexus` is given. Types only. */
import type { Doors } from "../_sys/doors.ts";

export interface VerbContext {
	readonly doors: Doors;
	/** The checkout that holds the programs. */
	readonly codeRoot: string;
	/** One line on standard output. */
	readonly print: (line: string) => void;
}

/** Resolves to the exit code. */
export type Verb = (
	args: readonly string[],
	ctx: VerbContext,
) => Promise<number>;
