import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boxIsOurs, wouldCollapse } from "../../monitor/_delivery/box.ts";
import type { ComposerView } from "../../monitor/_pane/types.ts";

const box = (...rows: string[]): ComposerView => ({
	input: "typed",
	row: rows[0] ?? "",
	rest: rows.slice(1),
	shellMode: false,
});
const lines = (breaks: number) =>
	Array.from({ length: breaks + 1 }, (_, i) => `line ${i}`).join("\n");

describe("a placeholder", () => {
	test.each([
		[
			"with as many lines as the payload has breaks is ours",
			"[Pasted text #1 +15 lines]",
			lines(15),
			true,
		],
		["of any number is ours", "[Pasted text #12 +15 lines]", lines(15), true],
		[
			"with one line fewer is not",
			"[Pasted text #1 +14 lines]",
			lines(15),
			false,
		],
		[
			"is not ours when the payload would be shown in full",
			"[Pasted text #1]",
			"hello there",
			false,
		],
		[
			"without lines is ours for one long line",
			"[Pasted text #1]",
			"x".repeat(801),
			true,
		],
		[
			"without lines is not ours for several",
			"[Pasted text #1]",
			lines(15),
			false,
		],
		[
			"beside another one is two pastes",
			"[Pasted text #1 +3 lines][Pasted text #2 +3 lines]",
			lines(3),
			false,
		],
		[
			"with text behind it is not ours alone",
			"[Pasted text #1 +15 lines] and me",
			lines(15),
			false,
		],
		[
			"with text in front of it is not ours alone",
			"me [Pasted text #1 +15 lines]",
			lines(15),
			false,
		],
		["of an image is not ours", "[Image #1]", "x".repeat(801), false],
	])("%s", (_rule, row, payload, ours) => {
		expect(boxIsOurs(box(row), payload)).toBe(ours);
	});

	test("with a row that somebody typed below is not ours", () => {
		expect(
			boxIsOurs(
				box("[Pasted text #1 +15 lines]", "  operator text"),
				lines(15),
			),
		).toBe(false);
		expect(
			boxIsOurs(box("[Pasted text #1 +15 lines]", "  ", ""), lines(15)),
		).toBe(true);
	});

	test.each([
		["is ours", ["[Pasted text #9 +20", "  lines]"], true],
		[
			"with another number of lines is not",
			["[Pasted text #9 +2", "  lines]"],
			false,
		],
		[
			"with text below it is not",
			["[Pasted text #9 +20", "  lines]", "  me"],
			false,
		],
		[
			"with another below it is two pastes",
			["[Pasted text #9 +20", "  lines][Pasted text", "  #10 +20 lines]"],
			false,
		],
	])("that a narrow pane wraps %s", (_rule, rows, ours) => {
		expect(boxIsOurs(box(...rows), lines(20))).toBe(ours);
	});
});

test.each([
	["two breaks are shown", lines(2), false],
	["three breaks collapse", lines(3), true],
	["800 characters are shown", "x".repeat(800), false],
	["801 collapse", "x".repeat(801), true],
	[
		"a TAB counts as four: 671 characters, 80 of them TABs",
		"x".repeat(591) + "\t".repeat(80),
		true,
	],
	["a letter outside the BMP counts as two", "😀".repeat(401), true],
])("collapse: %s", (_rule, payload, collapses) => {
	expect(wouldCollapse(payload)).toBe(collapses);
});

describe("text", () => {
	test.each([
		["the same line", box("status please"), "status please"],
		[
			"a line that the box wrapped",
			box("one long line that", "goes on"),
			"one long line that goes on",
		],
		["a word that the box broke", box("aaaaaaaaaa", "aaaa"), "aaaaaaaaaaaaaa"],
		[
			"a line of wide letters that a narrow box wrapped after eight of them",
			box("日本語のテキスト", "です"),
			"日本語のテキストです",
		],
		["three lines", box("a", "  b", "  c"), "a\nb\nc"],
		["a TAB is four blanks", box("x    y    z"), "x\ty\tz"],
		["an indented first line", box("indented", "two"), "\tindented\n\ttwo"],
		["a trailing newline shows nowhere", box("hello"), "hello\n"],
		["a character that no terminal shows", box("schön"), "sch\u2060ön"],
		[
			"a glyph that the terminal draws as another",
			box("deploy ? done now"),
			"deploy ? done now",
		],
		[
			"a redrawn glyph, all else equal",
			box("build ■ passed ok"),
			"build ◼ passed ok",
		],
	])("%s is ours", (_rule, seen, payload) => {
		expect(boxIsOurs(seen, payload)).toBe(true);
	});

	test.each([
		["another line", box("status pleasE"), "status please"],
		["a draft in front", box("xstatus please"), "status please"],
		["a draft behind", box("status please!"), "status please"],
		[
			"a row of the operator's below",
			box("status please", "wait"),
			"status please",
		],
		["only the beginning", box("status"), "status please"],
		["a short beginning, though the whole agrees", box("a b", "c d"), "a bc d"],
		[
			"a beginning of seven wide letters, though the whole agrees",
			box("日本語のテキス", "トです"),
			"日本語のテキストです",
		],
		["two copies", box("status pleasestatus please"), "status please"],
		["an empty row", box("", "status please"), "status please"],
		[
			"two texts that share a short ASCII piece",
			box("終了しました OK"),
			"成功しました OK",
		],
		[
			"the shell's box",
			{ ...box("ls -la /tmp"), shellMode: true },
			"ls -la /tmp",
		],
	])("%s is not", (_rule, seen, payload) => {
		expect(boxIsOurs(seen, payload)).toBe(false);
	});

	test("an unreadable box is never ours", () => {
		expect(boxIsOurs(null, "anything")).toBe(false);
	});
});

const word = fc.string({ minLength: 1, maxLength: 30 });
const text = fc
	.array(word, { minLength: 1, maxLength: 3 })
	.map((w) => w.join(" "));
const squash = (s: string) => s.replace(/\s+/g, "");

test("a box whose ASCII text differs from the payload in anything but blanks is never ours", () => {
	fc.assert(
		fc.property(text, text, (payload, other) => {
			fc.pre(squash(payload) !== squash(other));
			expect(boxIsOurs(box(...other.split("\n")), payload)).toBe(false);
		}),
		{ numRuns: 3000 },
	);
});

test("our text with anything visible added to it is never ours", () => {
	fc.assert(
		fc.property(text, word, fc.nat(), (payload, extra, at) => {
			fc.pre(squash(extra) !== "" && squash(payload) !== "");
			const cut = at % (payload.length + 1);
			const mixed = payload.slice(0, cut) + extra + payload.slice(cut);
			expect(boxIsOurs(box(mixed), payload)).toBe(false);
			expect(boxIsOurs(box(payload, extra), payload)).toBe(false);
		}),
		{ numRuns: 3000 },
	);
});

test("our own text is recognised however a box of 20 columns or more wraps it", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
			fc.integer({ min: 20, max: 120 }),
			(raw, width) => {
				const payload = raw.replace(/\s+/g, " ").trim();
				fc.pre(
					payload !== "" && !wouldCollapse(payload) && !payload.startsWith("["),
				);
				const points = [...payload];
				const rows: string[] = [];
				while (points.length > 0) rows.push(points.splice(0, width).join(""));
				expect(boxIsOurs(box(...rows), payload)).toBe(true);
			},
		),
	);
});
