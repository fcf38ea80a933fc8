/** Characters that a terminal does not show (contract 04 §5.1), as data: [first, last] code points. */

export type CodeRange = readonly [first: number, last: number];

/** Never part of what is read. */
export const EVERYWHERE: readonly CodeRange[] = [
	[0xad, 0xad],
	[0x115f, 0x1160],
	[0x202a, 0x202e],
	[0x2060, 0x206f],
	[0x3164, 0x3164],
	[0xfe03, 0xfe0d],
	[0xfeff, 0xfeff],
	[0xffa0, 0xffa0],
	[0xfff0, 0xfffb],
	[0x16fe4, 0x16fe4],
	[0x1d173, 0x1d17a],
	[0xe0080, 0xe0fff],
];

/** Joiners, marks and selectors: they shape the letters of some scripts and mean nothing between ASCII ones. */
export const ON_ASCII_LINES: readonly CodeRange[] = [
	[0x34f, 0x34f],
	[0x61c, 0x61c],
	[0x17b4, 0x17b5],
	[0x180b, 0x180f],
	[0x200b, 0x200f],
	[0xfe00, 0xfe02],
	[0xfe0e, 0xfe0f],
	[0x1107f, 0x1107f],
	[0x13430, 0x1343f],
	[0x1bca0, 0x1bca3],
	[0xe0000, 0xe007f],
];

/** A global pattern that matches one character of the ranges. */
export function invisibleClass(ranges: readonly CodeRange[]): RegExp {
	const body = ranges.map(([a, b]) => `${point(a)}-${point(b)}`).join("");
	return new RegExp(`[${body}]`, "gu");
}

function point(code: number): string {
	return `\\u{${code.toString(16)}}`;
}
