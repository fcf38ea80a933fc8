import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseLine } from "../../monitor/_pane/line.ts";
import { capture, expectations, judgeScreen } from "./fixtures.ts";

const SETS = ["claude-code", "panes"] as const;
const ALL = SETS.flatMap((set) =>
	expectations(set).map(([file, expected]) => ({
		name: `${set}/${file}`,
		expected,
		text: capture(set, file),
	})),
);
type Fixture = (typeof ALL)[number];

const stateOf = (text: string) => parseLine(judgeScreen(text).line)?.state;
const inState = (...states: string[]) =>
	ALL.filter((f) => states.includes(f.expected.state));
const isRight = (f: Fixture, text: string) =>
	[f.expected.state, ...(f.expected.also ?? [])].includes(stateOf(text) ?? "");

/** One of them; a counterexample prints its name, not its screen. */
function among(fixtures: readonly Fixture[]): fc.Arbitrary<Fixture> {
	return fc
		.constantFrom(...fixtures.map((f) => f.name))
		.map((name) => ALL.find((f) => f.name === name)!);
}

/** Rows without the blank ones at the end. */
function rowsOf(text: string): string[] {
	const rows = text.split("\n");
	while (rows.length > 0 && plain(rows.at(-1) ?? "").trim() === "") rows.pop();
	return rows;
}
function plain(text: string): string {
	return text.replace(/\x1b\[[0-9;:]*m/g, "");
}

/** States that say: nobody types, nothing runs on the screen. */
const AT_REST = [
	"idle",
	"autosuggest-only",
	"idle-orphan-async",
	"working-background",
	"working-self-paced",
];

test("whatever bytes are on the screen, one line of ours comes out, and none is at rest without an input box", () => {
	const piece = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.constantFrom(
			...[
				"❯\u00a0",
				"❯ 1. Yes",
				"─".repeat(40),
				"▔".repeat(40),
				"\n",
				"\x1b[2m",
				"\x1b[7m",
			],
			...[
				"Do you want to proceed?",
				"Esc to cancel",
				"● ",
				"✻ Working… (3s)",
				"  ⎿ ",
			],
			...[
				"You've hit your limit · resets 3am",
				"Type something.",
				"! ",
				"/model",
				"@",
			],
		),
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
			const { line } = judgeScreen(pieces.join(""));
			expect(line).not.toMatch(/[\x00-\x1f\x7f]/);
			const reading = parseLine(line);
			expect(reading).not.toBeNull();
			if (AT_REST.includes(reading?.state ?? ""))
				expect(["blank", "ghost"]).toContain(reading?.get("input") ?? "none");
		}),
		{ numRuns: 500 },
	);
});

describe("a screen quoted in a transcript is not this pane's", () => {
	const boxes = inState(
		"idle",
		"user-typing",
		"autosuggest-only",
		"working-background",
	);
	/** As Claude Code shows a quotation: behind a bullet, indented by two. */
	const quoted = (text: string, keep: number) => [
		"● Its screen reads:",
		"",
		...rowsOf(plain(text))
			.slice(-keep)
			.map((row) => (row === "" ? "" : `  ${row}`)),
		"",
		"✻ Brewed for 3s",
		"",
	];
	/** The rows from the box's upper rule (or chevron) on. */
	const boxOf = (text: string) => {
		const rows = rowsOf(text);
		const box = rows.findLastIndex((row) => /^\s*[❯!]\u00a0/.test(plain(row)));
		const ruled = /^[─]+$/.test(plain(rows[box - 1] ?? "").trimEnd());
		return rows.slice(ruled ? box - 1 : box);
	};
	const framed = boxes.filter((f) => boxOf(f.text).length > 1);
	const pair = fc.tuple(
		among(framed),
		among(ALL),
		fc.integer({ min: 1, max: 45 }),
	);

	test("it changes nothing, whatever it shows", () => {
		fc.assert(
			fc.property(pair, ([live, other, keep]) => {
				const screen = [...quoted(other.text, keep), ...boxOf(live.text)].join(
					"\n",
				);
				const alone = ["● Hello.", "", ...boxOf(live.text)].join("\n");
				expect([live.name, other.name, stateOf(screen)]).toEqual([
					live.name,
					other.name,
					stateOf(alone),
				]);
			}),
			{ numRuns: 600 },
		);
	});
	test("even raw, at the left edge, a dialog above an input box is none", () => {
		fc.assert(
			fc.property(among(framed), among(inState("blocked")), (live, other) => {
				const screen = [...rowsOf(other.text), "", ...boxOf(live.text)].join(
					"\n",
				);
				expect([live.name, other.name, stateOf(screen)]).not.toEqual([
					live.name,
					other.name,
					"blocked",
				]);
			}),
			{ numRuns: 600 },
		);
	});
});

describe("what does not change the picture does not change the verdict", () => {
	const same: readonly (readonly [string, (text: string) => string])[] = [
		["blank rows below", (t) => `${t}${"\n".repeat(12)}`],
		["no blank rows below", (t) => rowsOf(t).join("\n")],
		["blanks at the ends of rows cut", (t) => t.replace(/ +$/gm, "")],
		[
			"rows filled up with blanks",
			(t) =>
				rowsOf(t)
					.map((row) => row + " ".repeat(Math.max(0, 40 - plain(row).length)))
					.join("\n"),
		],
		[
			"a history above",
			(t) => `${"  an older row\n".repeat(30)}❯ something else\n\n${t}`,
		],
		[
			"colours of a true-colour terminal",
			(t) => t.replace(/\x1b\[38;5;231m/g, "\x1b[38;2;255;255;255m"),
		],
		["colours in the colon form", (t) => t.replace(/38;5;(\d+)/g, "38:5:$1")],
		[
			"a window title in between",
			(t) => t.replace(/\n/, "\x1b]0;❯ 1. Yes\x07\n"),
		],
	];
	test.each(same)("%s", (_, change) => {
		for (const f of ALL)
			expect([
				f.name,
				isRight(f, change(f.text)) || stateOf(change(f.text)),
			]).toEqual([f.name, true]);
	});
	test.each([40, 30, 24, 20, 16])("a pane of only %i rows", (height) => {
		for (const f of ALL) {
			const shown = rowsOf(f.text).slice(-height).join("\n");
			expect([f.name, isRight(f, shown) || stateOf(shown)]).toEqual([
				f.name,
				true,
			]);
		}
	});
});
