import { expect, test } from "bun:test";
import { blankComments } from "./blank-comments.ts";

test.each([
	["a; // b", "a;     "],
	["/** b\n c */ d", "     \n      d"],
	['"// no" // yes', '"// no"       '],
	["'/* no */'", "'/* no */'"],
	["`// no /* no */`", "`// no /* no */`"],
	["/[\"'`]/.test(x) // y", "/[\"'`]/.test(x)     "],
	["s.replace(/\\/\\/.*/, '') // y", "s.replace(/\\/\\/.*/, '')     "],
	["a / b / c // d", "a / b / c     "],
	['"it\\"s // no" // yes', '"it\\"s // no"       '],
	['const x = "http://y"; // z', 'const x = "http://y";     '],
])("%j becomes %j", (text, code) => {
	expect(blankComments(text)).toBe(code);
});
