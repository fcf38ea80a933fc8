import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cellsOf, columns, parseGrid } from "../../monitor/_pane/grid.ts";
import { applySgr, PLAIN, type Style } from "../../monitor/_pane/sgr.ts";

const ESC = "\x1b";
/** As some test captures have it: a dollar sign and a word in braces. */
const NO_ESCAPE = ["$", "{ESC}[0m"].join("");

describe("SGR sequences change exactly what they name", () => {
	const cases: readonly (readonly [string, Partial<Style>])[] = [
		["1", { bold: true }],
		["2", { dim: true }],
		["0;2", { dim: true }],
		["2;22", {}],
		["1;2;22", {}],
		["3;4;7;9", { italic: true, underline: true, reverse: true, strike: true }],
		["3;4;7;9;23;24;27;29", {}],
		["31", { fg: 1 }],
		["97", { fg: 15 }],
		["42", { bg: 2 }],
		["100", { bg: 8 }],
		["38;5;2", { fg: 2 }],
		["38;5;231", { fg: 231 }],
		["48;5;237", { bg: 237 }],
		["38;2;2;2;2", { fg: "#020202" }],
		["48;2;255;0;16", { bg: "#ff0010" }],
		["38:5:2", { fg: 2 }],
		["38:2:1:2:3", { fg: "#010203" }],
		["38:2::1:2:3", { fg: "#010203" }],
		["38;5;2;2", { fg: 2, dim: true }],
		["38;2;1;2;3;7", { fg: "#010203", reverse: true }],
		["31;39;41;49", {}],
		["4:3", { underline: true }],
		["4;4:0", {}],
		["22;32", { fg: 2 }],
		["99;1000;x", {}],
		["38", {}],
		["38;5", {}],
		["38;2;1", {}],
		["1;", {}],
	];
	test.each(cases)("%s", (params, changed) => {
		expect(applySgr(PLAIN, params)).toEqual({ ...PLAIN, ...changed });
	});
});

describe("a capture becomes rows of text", () => {
	const cases: readonly (readonly [string, string, readonly string[]])[] = [
		["blank rows at the end go", "a\n\nb\n  \n\n", ["a", "", "b"]],
		[
			"a link's target is no text",
			`see ${ESC}]8;;https://x.test/?a=b;c${ESC}\\PR${ESC}]8;;${ESC}\\ ok`,
			["see PR ok"],
		],
		["a link may end in BEL", `${ESC}]8;;u\x07PR${ESC}]8;;\x07!`, ["PR!"]],
		[
			"a string without an end lasts to the end of its row",
			`a${ESC}]0;title\nb`,
			["a", "b"],
		],
		["cursor moves and modes go", `${ESC}[2Ka${ESC}[?25hb${ESC}[>4mc`, ["abc"]],
		["character sets and lone escapes go", `${ESC}(Ba${ESC}=b${ESC}`, ["ab"]],
		["control characters go", "a\r\tb\x08\x7f\x9bc", ["abc"]],
		["the no-break space after a chevron stays", "❯\u00a0   ", ["❯\u00a0"]],
		["letters that only look like an escape stay", NO_ESCAPE, [NO_ESCAPE]],
	];
	test.each(cases)("%s", (_, capture, rows) => {
		expect(parseGrid(capture).rows.map((r) => r.text)).toEqual([...rows]);
	});
});

test("attributes run on across the end of a row", () => {
	const grid = parseGrid(`❯\u00a0${ESC}[7m\nx${ESC}[0my`);
	const cells = cellsOf(grid.rows[1]!);
	expect(cells.map((c) => [c.ch, c.style.reverse])).toEqual([
		["x", true],
		["y", false],
	]);
});

test("a cell is a character with its marks, and wide ones take two columns", () => {
	const grid = parseGrid(`e\u0301${ESC}[2m修${ESC}[0m👩‍💻!`);
	expect(cellsOf(grid.rows[0]!).map((c) => [c.ch, c.style.dim])).toEqual([
		["e\u0301", false],
		["修", true],
		["👩‍💻", false],
		["!", false],
	]);
	expect(grid.rows[0]?.width).toBe(6);
	expect(columns("─❯●✻")).toBe(4);
});

test("the pane is as wide as its widest row unless somebody knows better", () => {
	expect(parseGrid("ab\n修复测").width).toBe(6);
	expect(parseGrid("ab", 80).width).toBe(80);
});

test("no bytes make the parser throw, and no row keeps a control character", () => {
	const piece = fc.oneof(
		fc.string(),
		fc.string({ unit: "binary" }),
		fc.constantFrom(
			`${ESC}[`,
			`${ESC}]`,
			"38;5;",
			"m",
			";",
			":",
			"\n",
			"\x07",
			"❯\u00a0",
			"─".repeat(9),
		),
	);
	fc.assert(
		fc.property(fc.array(piece), (pieces) => {
			for (const row of parseGrid(pieces.join("")).rows) {
				expect(row.text).not.toMatch(/[\x00-\x1a\x1c-\x1f\x7f-\x9f]/);
				cellsOf(row);
			}
		}),
	);
});
