/** What a verb of `./nexus` is given. Types only. */
import type { Doors, Tmux } from "../_sys/doors.ts";

export interface VerbContext {
	readonly doors: Doors;
	/** The checkout that holds the programs. */
	readonly codeRoot: string;
	/** A tmux door whose clients have this environment, and so perhaps another server. */
	readonly tmuxIn: (env: Readonly<Record<string, string>>) => Tmux;
	/** Aborts at the first Ctrl-C, so that a verb can clean up. */
	readonly interrupted: AbortSignal;
	/** One line on standard output. */
	readonly print: (line: string) => void;
}

/** Resolves to the exit code. */
export type Verb = (
	args: readonly string[],
	ctx: VerbContext,
) => Promise<number>;
