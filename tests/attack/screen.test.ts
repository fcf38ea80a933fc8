/** Whatever stands on a screen: it is read in bounded time, nothing throws, and nobody can draw a rest or a dialog that is none. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseLine } from "../../monitor/_pane/line.ts";
import { capture, expectations, judgeScreen } from "../pane/fixtures.ts";
import { nastyText } from "./nasty.ts";

const SETS = ["claude-code", "panes"] as const;
const SCREENS = SETS.flatMap((set) =>
	expectations(set).map(([file, expected]) => ({
		name: `${set}/${file}`,
		state: expected.state,
		text: capture(set, file),
	})),
);
const RULE = "─".repeat(60);
const COMPOSER = [RULE, "❯\u00a0", RULE, "  ? for shortcuts"];

/** States in which a text may be typed into the pane, or its worker be taken for done. */
const AT_REST = [
	"idle",
	"autosuggest-only",
	"idle-orphan-async",
	"working-background",
	"working-self-paced",
];

function read(screen: string) {
	const { line } = judgeScreen(screen);
	// The line goes into logs, files and reports: one line, and nothing that a terminal obeys.
	expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f]/);
	const reading = parseLine(line);
	if (reading === null) throw new Error(`no reading: ${line}`);
	if (AT_REST.includes(reading.state))
		expect(["blank", "ghost"]).toContain(reading.get("input") ?? "none");
	return reading;
}

/** Everything that a program may send to a terminal. */
const sequence = fc.oneof(
	fc
		.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(99999)), {
			maxLength: 12,
		})
		.map((codes) => `\x1b[${codes.join(";")}m`),
	fc.constantFrom(
		...["\x1b[", "\x1b[38;2", "\x1b[38:2::1:2:3m", "\x1b[48;5;m", "\x1b]"],
		...["\x1b]0;❯ 1. Yes\x07", "\x1b]8;;http://x\x1b\\", "\x1b]52;c;eA==\x07"],
		...["\x1bP1$r0m\x1b\\", "\x1b_APC\x1b\\", "\x1b^PM", "\x1b(0", "\x1bc"],
		...["\x1b[2J", "\x1b[1;1H", "\x1b[?1049h", "\x1b[201~", "\x9b31m", "\x1b"],
		...["\x1b[7m", "\x1b[2m", "\x1b[0m", "\x1b[27m"],
	),
);
/** Characters whose width, direction or joining a reader may get wrong. */
const glyph = fc.constantFrom(
	...[
		"日本語",
		"ｆｕｌｌ",
		"👩‍👩‍👧",
		"🇩🇪",
		"é",
		"e\u0301\u0301\u0301",
		"\u200d",
		"\u200b",
	],
	...[
		"\ufe0f",
		"\u202e",
		"\u2066",
		"\u00a0",
		"\u3000",
		"ﷺ",
		"𒐫",
		"\ud83d",
		"\udc00",
	],
	...["─", "▔", "❯", "●", "⎿", "✻", "│", "╭", "╰", "⏵⏵"],
);
const drawn = fc.constantFrom(
	...[RULE, "❯ 1. Yes", "  2. No", "Do you want to proceed?", "❯\u00a0", "> "],
	...[
		"✻ Working… (3s · esc to interrupt)",
		"Esc to cancel",
		"● done",
		"\n",
		"\n\n",
	],
	...["You've hit your limit · resets 3am (Europe/Berlin)", "/model", "@src"],
	...[
		"Press up to edit queued messages",
		"Enter to select",
		"ctrl+b",
		"Type something.",
	],
);
const scribble = fc
	.array(fc.oneof(sequence, glyph, drawn, nastyText), { maxLength: 50 })
	.map((pieces) => pieces.join(""));

describe("a screen of anything", () => {
	test("gets one clean line, and a rest only with an empty box on it", () => {
		fc.assert(
			fc.property(scribble, (screen) => {
				read(screen);
			}),
			{ numRuns: 4000 },
		);
	});

	const LENGTH = 200_000;
	test.each([
		["no line ends", "x".repeat(LENGTH)],
		["open strings", "\x1b]".repeat(LENGTH / 2)],
		["open sequences", "\x1b[1;".repeat(LENGTH / 4)],
		["device strings", "\x1bP".repeat(LENGTH / 2)],
		["long colours", `\x1b[${"38;5;1;".repeat(LENGTH / 7)}m`],
		["colours at every letter", "\x1b[31ma".repeat(LENGTH / 6)],
		["combining marks", `e${"\u0301".repeat(LENGTH)}`],
		["joiners", "👩‍".repeat(LENGTH / 3)],
		["blank rows", "\n".repeat(LENGTH)],
		["blanks", `${" ".repeat(LENGTH)}x`],
		["rules", `${RULE}\n`.repeat(3000)],
		["boxes", `${COMPOSER.join("\n")}\n`.repeat(1000)],
		["chevrons", "❯\u00a0\n".repeat(30_000)],
		["options", "❯ 1. Yes\n  2. No\n".repeat(10_000)],
		["bullets", "● a\n  ⎿ b\n".repeat(10_000)],
		["spinners", "✻ Working… (3s · esc to interrupt)\n".repeat(5000)],
		["limits", "You've hit your limit · resets 3am\n".repeat(5000)],
		["words that nearly reset", `You've hit your ${"a ".repeat(50_000)}limit`],
		["parentheses", `✻ Working… ${"(".repeat(100_000)}`],
		["commands", `Bash command\n  ${"a && ".repeat(20_000)}\n❯ 1. Yes`],
	])("is read in no time, though it is nothing but %s", (_what, screen) => {
		read(screen);
		// Where more stands above a box, more of it is looked at.
		read(`${screen}\n${COMPOSER.join("\n")}`);
	});
});

describe("a real screen that was damaged on its way", () => {
	const among = fc
		.constantFrom(...SCREENS.map((s) => s.name))
		.map((name) => SCREENS.find((s) => s.name === name)?.text ?? "");
	const damage = fc.oneof(
		fc.record({
			kind: fc.constant("cut"),
			at: fc.nat(8000),
			text: fc.constant(""),
		}),
		fc.record({ kind: fc.constant("put"), at: fc.nat(8000), text: scribble }),
		fc.record({
			kind: fc.constant("drop"),
			at: fc.nat(60),
			text: fc.constant(""),
		}),
		fc.record({
			kind: fc.constant("twice"),
			at: fc.nat(60),
			text: fc.constant(""),
		}),
		fc.record({
			kind: fc.constant("swap"),
			at: fc.nat(60),
			text: fc.constant(""),
		}),
	);
	type Damage = {
		readonly kind: string;
		readonly at: number;
		readonly text: string;
	};
	const applied = (screen: string, { kind, at, text }: Damage): string => {
		if (kind === "cut") return screen.slice(0, at);
		if (kind === "put") return screen.slice(0, at) + text + screen.slice(at);
		const rows = screen.split("\n");
		const row = rows[at] ?? "";
		if (kind === "drop") rows.splice(at, 1);
		if (kind === "twice") rows.splice(at, 0, row);
		if (kind === "swap") rows.splice(at, 2, rows[at + 1] ?? "", row);
		return rows.join("\n");
	};

	test("is read, and says nothing of a rest that nobody could type into", () => {
		fc.assert(
			fc.property(
				among,
				fc.array(damage, { minLength: 1, maxLength: 4 }),
				(screen, all) => {
					read(all.reduce(applied, screen));
				},
			),
			{ numRuns: 4000 },
		);
	});

	test("cut off anywhere above its box, it never turns into a dialog", () => {
		const dialogs = SCREENS.filter((s) => s.state === "blocked");
		fc.assert(
			fc.property(
				fc.constantFrom(...dialogs.map((d) => d.text)),
				fc.nat(8000),
				fc.nat(60),
				(text, at, indent) => {
					// As an answer of the model's shows it, and as raw bytes of a file that it printed.
					const shown = text
						.slice(0, at)
						.split("\n")
						.map((row) => " ".repeat(indent % 4) + row);
					const screen = [
						"● It shows:",
						"",
						...shown,
						"\x1b[0m",
						...COMPOSER,
					].join("\n");
					expect(read(screen).state).not.toBe("blocked");
				},
			),
			{ numRuns: 2000 },
		);
	});
});
