/** What a verb of `ng` is, and what it is given (contract 05 §1). Types only. */
import type { Pacing } from "../_github/pacing.ts";
import type { Doors } from "../_sys/doors.ts";

export interface NgContext {
	readonly doors: Doors;
	/** The checkout that holds this `ng`, symlinks resolved. */
	readonly codeRoot: string;
	/** One line of the result. */
	readonly out: (line: string) => void;
	/** One line of a diagnostic; the face puts `ng: ` in front. */
	readonly err: (line: string) => void;
	/** One line on stderr as it stands: a text that is a contract of its own. */
	readonly errPlain: (line: string) => void;
	/** All of standard input; empty for a terminal, which nobody types a body into. */
	readonly stdin: () => Promise<string>;
	/** How calls to GitHub are spaced and tried again. */
	readonly pacing: Pacing;
}

/** `args`: what follows the verb's name. Resolves to the exit code. */
export type NgVerb = (
	args: readonly string[],
	ctx: NgContext,
) => Promise<number>;

export interface NgVerbRow {
	/** One word, or two: `issue create`. */
	readonly name: string;
	readonly category: string;
	/** After `ng <name> `; empty when it takes nothing. A flag with a word behind it takes a value. */
	readonly args: string;
	readonly meaning: string;
	/** Takes other verbs, so `--help` is its own only as its first word. */
	readonly group?: boolean;
	/** A facade passes `--help` on to its target instead of answering it. */
	readonly facade?: boolean;
	readonly load: () => Promise<{ readonly run: NgVerb }>;
}
