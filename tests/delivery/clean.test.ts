import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clean } from "../../monitor/_delivery/clean.ts";

const text = (raw: string) => clean(raw).text;

test("a payload that holds the end of a bracketed paste, an Enter and other controls arrives as plain text", () => {
	const hostile = "echo a\x1b[201~\rwhoami\u009b\0\x07\x7f";
	expect(text(hostile)).toBe("echo a[201~\nwhoami");
});

describe("what is taken out", () => {
	test.each([
		["CRLF is one line end", "a\r\nb", "a\nb"],
		["a lone CR is a line end", "a\rb", "a\nb"],
		["LF and TAB stay", "a\tb\nc", "a\tb\nc"],
		["NEL and the other C1 controls go", "a\u0085b\u009fc", "abc"],
		["U+2028 and U+2029 are line ends", "a\u2028b\u2029c", "a\nb\nc"],
		["a soft hyphen goes everywhere", "schön\u00adheit", "schönheit"],
		["a byte order mark goes everywhere", "\ufeffé", "é"],
		["direction overrides go everywhere", "é\u202eb", "éb"],
		["tags above U+E0080 go everywhere", "é\u{e0100}", "é"],
		["a joiner goes on an ASCII line", "ab\u200dcd", "abcd"],
		["a joiner stays between other letters", "é\u200d👩", "é\u200d👩"],
		["each line is judged alone", "a\u200b\né\u200b", "a\né\u200b"],
		["a variation selector goes on an ASCII line", "a\ufe0f", "a"],
		["leading blank lines go", " \n\t\n  a\n\nb", "  a\n\nb"],
		["so do empty ones, and those of several blanks", "\n \t \n\na", "a"],
		["a payload of blank lines stays as it is", "\n \n", "\n \n"],
		["so does one that ends in blanks", "\n\n  ", "\n\n  "],
		["the end stays as it is", "a\n\n", "a\n\n"],
	])("%s", (_rule, raw, wanted) => {
		expect(text(raw)).toBe(wanted);
	});

	test("the removed bytes are counted, the guard is not", () => {
		expect(clean("/a\x1b\u00ad").removedBytes).toBe(3);
		expect(clean("plain").removedBytes).toBe(0);
	});
});

describe("the guard", () => {
	test.each(["/status", "!ls", "#note", "@file", "  /status", "\u200b/é"])(
		"%p would open a command, so a word goes in front",
		(raw) => {
			expect(text(raw)).toStartWith("Message: ");
		},
	);
	test.each(["=== state ===", "see /tmp", "-n", ";", "?", "then exit", ":"])(
		"%p needs none",
		(raw) => {
			expect(text(raw)).toBe(raw);
		},
	);
	test.each(["exit", " Quit\n", ":q", ":q!", ":wq", ":wq!"])(
		"%p alone would end the agent",
		(raw) => {
			expect(text(raw)).toStartWith("Message: ");
			expect(text(`${raw} not`)).toBe(`${raw} not`);
		},
	);
	test("a caller that asks for a command gets one", () => {
		expect(clean("/status", { command: true }).text).toBe("/status");
	});
});

/** Any text, with the characters that matter here more often than chance would bring them. */
const anyText = fc
	.array(
		fc.oneof(
			fc.string({ unit: "binary" }),
			fc.constantFrom(
				"\r",
				"\n",
				"\r\n",
				"\x1b[201~",
				"\0",
				"\u2028",
				"\u200d",
				"\u200b",
				"é",
				"/",
				"@",
				" ",
				"\t",
				"a",
				"\ufe0f",
			),
		),
	)
	.map((parts) => parts.join(""));

test("cleaning twice changes nothing", () => {
	fc.assert(
		fc.property(anyText, (raw) => {
			const once = text(raw);
			expect(text(once)).toBe(once);
		}),
		{ numRuns: 2000 },
	);
});

test("no control character survives but LF and TAB, and the first visible one opens nothing", () => {
	fc.assert(
		fc.property(anyText, (raw) => {
			const cleaned = text(raw);
			expect(cleaned).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/);
			expect(cleaned.trimStart()).not.toMatch(/^[/!#@]/);
		}),
		{ numRuns: 2000 },
	);
});

test("printable ASCII arrives as it is", () => {
	fc.assert(
		fc.property(fc.string(), (raw) => {
			// `:q` alone would end the agent, and gets a word in front, too.
			fc.pre(!/^\s*(?:[/!#@]|:w?q|exit|quit)/i.test(raw));
			expect(text(raw)).toBe(raw);
		}),
	);
});

/** First and last of each class, as the contract lists them. */
type Classes = readonly (readonly [first: number, last?: number])[];
const EVERYWHERE: Classes = [
	[0xad],
	[0x115f, 0x1160],
	[0x202a, 0x202e],
	[0x2060, 0x206f],
	[0x3164],
	[0xfe03, 0xfe0d],
	[0xfeff],
	[0xffa0],
	[0xfff0, 0xfffb],
	[0x16fe4],
	[0x1d173, 0x1d17a],
	[0xe0080, 0xe0fff],
];
const IN_ASCII_LINES: Classes = [
	[0x34f],
	[0x61c],
	[0x17b4, 0x17b5],
	[0x180b, 0x180f],
	[0x200b, 0x200f],
	[0xfe00, 0xfe02],
	[0xfe0e, 0xfe0f],
	[0x1107f],
	[0x13430, 0x1343f],
	[0x1bca0, 0x1bca3],
	[0xe0000, 0xe007f],
];

describe("an invisible character", () => {
	const isIn = (code: number, classes: Classes): boolean =>
		classes.some(([first, last = first]) => first <= code && code <= last);
	/** Each class's ends, and what stands right beside them; U+2028 and U+2029 are line breaks. */
	const edges = [...EVERYWHERE, ...IN_ASCII_LINES].flatMap(
		([first, last = first]) => [first - 1, first, last, last + 1],
	);
	const cleaned = (text: string) => clean(text).text;

	test("goes out of a line of other letters only when its class goes everywhere", () => {
		for (const code of edges.filter((edge) => edge !== 0x2029)) {
			const line = `é${String.fromCodePoint(code)}b`;
			const expected = isIn(code, EVERYWHERE) ? "éb" : line;
			expect([code.toString(16), cleaned(line)]).toEqual([
				code.toString(16),
				expected,
			]);
		}
	});

	test("of both classes goes out of a line that is ASCII otherwise", () => {
		for (const code of edges.filter((edge) => edge !== 0x2029)) {
			const line = `a${String.fromCodePoint(code)}b`;
			const goes = isIn(code, EVERYWHERE) || isIn(code, IN_ASCII_LINES);
			expect([code.toString(16), cleaned(line)]).toEqual([
				code.toString(16),
				goes ? "ab" : line,
			]);
		}
	});
});
