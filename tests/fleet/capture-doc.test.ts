import { expect, test } from "bun:test";
import { captureDocOf, readFooter } from "../../monitor/_fleet/capture-doc.ts";
import { parseGrid } from "../../monitor/_pane/grid.ts";

const NBSP = "\u00a0";
const DIM = "\x1b[2m";
const OFF = "\x1b[0m";

test("a picture says what is only suggested, and what the status line says", () => {
	const screen = [
		"● done",
		`${DIM}  ran for 3s${OFF}`,
		"─".repeat(40),
		`❯${NBSP}${DIM}try this${OFF}`,
		"─".repeat(40),
		`  Model:${NBSP}Opus | Ctx:${NBSP}84k | Ctx Used: 42.5%`,
	].join("\n");
	expect(captureDocOf("w", "claude", parseGrid(screen, 80))).toMatchObject({
		ok: true,
		lineCount: 6,
		footer: { model: "Opus", ctx: "84k", ctxUsedPct: 42.5 },
		ghostLines: [1],
		composerText: "try this",
	});
});

test("text that somebody typed is no ghost", () => {
	const screen = `❯${NBSP}hello`;
	const doc = captureDocOf("w", "claude", parseGrid(screen, 80));
	expect(doc.composerText).toBeUndefined();
	expect(doc.lines).toEqual([screen]);
});

test("a blank pane is no picture", () => {
	const doc = captureDocOf("w", "claude", parseGrid("\n\n", 80));
	expect(doc).toMatchObject({ ok: false, error: "empty output", lines: [] });
});

test.each([
	[["Model: a"], { model: "a" }],
	[["no footer"], null],
	[["Model: a", ...Array.from({ length: 8 }, () => "x")], null],
])("the footer of %j is %j", (lines, footer) => {
	expect(readFooter(lines)).toEqual(footer);
});
