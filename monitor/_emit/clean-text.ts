/**
 * Text of others on its way into a report (contract 00 C3, 01 §10.5). A report is typed into an
 * agent's prompt: a control character in it could press a key, a line break could forge a section.
 */
import { asOneLine } from "../_sys/control-characters.ts";

const CONTROLS_BUT_TAB_LF = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** One line: each run of control characters and line breaks becomes one space; cut at `max` code points with `…`. */
export function oneLine(text: string, max = 400): string {
	return cutTo(asOneLine(text).trim(), max);
}

/** The first line with something on it; past 160 code points its first 157 and `…` (contract 08 §5.4, §6.3). */
export function excerptOf(text: string): string {
	for (const line of text.split(/\r\n|[\r\n\u2028\u2029]/)) {
		const cleaned = oneLine(line, Number.POSITIVE_INFINITY);
		if (cleaned !== "") return cutTo(cleaned, 160, 157);
	}
	return "";
}

/**
 * Several lines that stay as many: line feeds and tabs are kept, every other control character is removed. What
 * delivery would turn into a line feed (CR, U+2028, U+2029) becomes a blank, or a row could grow a second line there.
 */
export function cleanLines(text: string): string {
	return text
		.replace(/\r\n/g, "\n")
		.replace(/[\r\u2028\u2029]/g, " ")
		.replace(CONTROLS_BUT_TAB_LF, "");
}

/** At most `max` code points; a longer text keeps `keep` of them and gets `…`. */
function cutTo(text: string, max: number, keep = max - 1): string {
	if (text.length <= max) return text;
	// A code point is at most two units: this many hold enough, and keep a 10 MB line cheap.
	const points = [...text.slice(0, 2 * max + 2)];
	return points.length > max ? `${points.slice(0, keep).join("")}…` : text;
}
