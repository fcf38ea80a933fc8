/** The one gate for text that goes into a pane (contract 04 §5.1, 00 C3). */
import { EVERYWHERE, invisibleClass, ON_ASCII_LINES } from "./invisible.ts";

export interface Cleaned {
	readonly text: string;
	/** Bytes that the cleaning took out; the guard does not count. */
	readonly removedBytes: number;
}

const GUARD = "Message: ";
/** Read by the program as a command, a shell line, a memory note, a file mention. */
const GUARDED = new Set(["/", "!", "#", "@"]);
/** A prompt that is nothing but one of these ends the program, slash or not. */
const ENDS_THE_AGENT = /^\s*(?:exit|quit|:q!?|:wq!?)\s*$/i;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const EVERYWHERE_RE = invisibleClass(EVERYWHERE);
const ON_ASCII_RE = invisibleClass(ON_ASCII_LINES);
const INVISIBLE_RE = invisibleClass([...EVERYWHERE, ...ON_ASCII_LINES]);

/**
 * Cleans a payload: line ends become LF, control characters but LF and TAB go (a comment must not
 * end the bracketed paste or press a key), invisible characters go where they carry nothing,
 * leading blank lines go, and a text that would run a command gets a word in front, unless `command`
 * asks for one. Cleaning twice changes nothing.
 */
export function clean(
	raw: string,
	opts: { readonly command?: boolean } = {},
): Cleaned {
	const lines = raw
		.replace(/\r\n?|[\u2028\u2029]/g, "\n")
		.replace(CONTROLS, "")
		.replace(EVERYWHERE_RE, "")
		.split("\n")
		.map(withoutInvisibleOnAscii);
	const text = withoutLeadingBlankLines(lines.join("\n"));
	const removedBytes = Buffer.byteLength(raw) - Buffer.byteLength(text);
	const guarded =
		opts.command !== true &&
		(GUARDED.has(firstVisible(text)) || ENDS_THE_AGENT.test(text));
	return { text: guarded ? GUARD + text : text, removedBytes };
}

/** Without every invisible character: the form in which the box and a payload are compared. */
export function withoutInvisible(text: string): string {
	return text.replace(INVISIBLE_RE, "");
}

/**
 * In text of another script a joiner or a variation selector shapes what is read. On an ASCII line
 * it does nothing but make Claude Code hold the prompt until a second Enter.
 */
function withoutInvisibleOnAscii(line: string): string {
	const without = line.replace(ON_ASCII_RE, "");
	return /^[\x00-\x7f]*$/.test(without) ? without : line;
}

function withoutLeadingBlankLines(text: string): string {
	const rest = text.replace(/^(?:[ \t]*\n)+/, "");
	return rest.trim() === "" ? text : rest;
}

function firstVisible(text: string): string {
	return withoutInvisible(text).trimStart().charAt(0);
}
