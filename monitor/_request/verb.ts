/** What a verb of the request channel is given. Types only. */
import type { Doors } from "../_sys/doors.ts";

export interface RequestContext {
	readonly doors: Doors;
	readonly codeRoot: string;
	/** A line of the result. */
	readonly out: (line: string) => void;
	/** Bytes of the result, as they are. */
	readonly outBytes: (bytes: Uint8Array) => void;
	/** A line of a diagnostic. */
	readonly err: (line: string) => void;
	readonly stdin: () => Promise<Uint8Array>;
}

/** Resolves to the exit code. */
export type RequestVerb = (
	args: readonly string[],
	ctx: RequestContext,
) => Promise<number>;
