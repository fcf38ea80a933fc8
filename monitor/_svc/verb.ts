/** What a verb of `svc` is given. Types only. */
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";

export interface SvcContext {
	readonly doors: Doors;
	readonly settings: Settings;
	readonly json: boolean;
	/** Whether standard output is a terminal with colours. */
	readonly colour: boolean;
	/** One line on standard output. */
	readonly print: (line: string) => void;
}

/** `name` is the word after the verb, or undefined. Resolves to the exit code. */
export type SvcVerb = (
	name: string | undefined,
	ctx: SvcContext,
) => Promise<number>;
