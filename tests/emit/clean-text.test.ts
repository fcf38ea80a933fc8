import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	cleanLines,
	excerptOf,
	oneLine,
} from "../../monitor/_emit/clean-text.ts";

describe("one line", () => {
	test.each([
		[
			"runs of controls and breaks become one blank",
			"a\r\n\r\nb\u001b\u0007c\u2028d\u0085e",
			"a b c d e",
		],
		["ends are trimmed", "\n a \t", "a"],
		["tabs too", "a\tb", "a b"],
	])("%s", (_name, text, line) => {
		expect(oneLine(text)).toBe(line);
	});

	test("is cut at code points, never in the middle of one", () => {
		expect(oneLine("😀".repeat(5), 3)).toBe("😀😀…");
		expect(oneLine("😀".repeat(3), 3)).toBe("😀😀😀");
		expect(oneLine("x".repeat(401))).toHaveLength(400);
	});

	test("holds no control character, whatever comes in, and is stable", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
				const line = oneLine(text, 50);
				expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
				expect([...line].length).toBeLessThanOrEqual(50);
				expect(oneLine(line, 50)).toBe(line);
			}),
		);
	});
});

test("an excerpt is the first line with something on it", () => {
	expect(excerptOf("\n\u0007\n  first \nsecond")).toBe("first");
	expect(excerptOf("\n \n")).toBe("");
	expect(excerptOf("😀".repeat(161))).toBe(`${"😀".repeat(157)}…`);
	expect(excerptOf("😀".repeat(160))).toBe("😀".repeat(160));
});

test("several lines keep their breaks and tabs and nothing else, and never become more", () => {
	expect(cleanLines("a\r\nb\tc\rd\u001b[0m\u2029e\u009b")).toBe(
		"a\nb\tc d[0m e",
	);
});
