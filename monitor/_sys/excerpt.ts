/** An argument as a diagnostic may show it (contract 05 §2.2). */
import { masked } from "./control-characters.ts";

const MAX_CHARACTERS = 72;
const MAX_BYTES = 96;

/**
 * First line, at most 72 characters and 96 bytes, cut between characters with `…`; further lines are
 * counted. Control characters show as `?`: an echoed argument must not steer the terminal.
 */
export function excerpt(argument: string): string {
	const [line = "", ...more] = argument.split(/\r\n|\n|\r/);
	const clean = masked(line);
	let shown = "";
	let count = 0;
	for (const character of clean) {
		if (count === MAX_CHARACTERS) break;
		if (Buffer.byteLength(shown + character) > MAX_BYTES) break;
		shown += character;
		count += 1;
	}
	const cut = shown.length < clean.length ? "…" : "";
	const rest = more.length > 0 ? ` (+${more.length} more line(s))` : "";
	return shown + cut + rest;
}
