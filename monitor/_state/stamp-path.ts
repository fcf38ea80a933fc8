/**
 * `<kind>/<window>.json`: the stamps that a Stop clears (contract 08 §2.9). Writer and clearer ask this one function: a
 * stamp that was written to one path and cleared at another once suspended a window for ever.
 */
import { join } from "node:path";

const KIND = /^[a-z0-9_-]+$/;

/** `kind` is taken as it is; `isStampKind` says whether a word from outside is one. */
export function stampPath(
	stateDir: string,
	kind: string,
	window: string,
): string {
	return join(stateDir, kind, `${window}.json`);
}

/** Before a word of a command line becomes a folder. */
export function isStampKind(word: string): boolean {
	return KIND.test(word);
}
