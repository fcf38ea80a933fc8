/** Structure decides: small screens, each for one sentence of the rules of contract 03 §6 and §8. */
import { describe, expect, test } from "bun:test";
import { parseLine } from "../../monitor/_pane/line.ts";
import { judgeScreen } from "./fixtures.ts";

const RULE = "─".repeat(60);
const VIEW = "▔".repeat(60);
const DIM = "\x1b[2m";
const REVERSE = "\x1b[7m";
const OFF = "\x1b[0m";
const MODE = "  ⏵⏵ bypass permissions on (shift+tab to cycle)";
const box = (content = "", status: readonly string[] = [MODE]) => [
	RULE,
	`❯\u00a0${content}`,
	RULE,
	...status,
];

type Keys = Readonly<Record<string, string | null>>;
type Case = readonly [
	what: string,
	rows: readonly string[],
	state: string,
	keys?: Keys,
];

function check(cases: readonly Case[]): void {
	test.each(cases.map((c) => [...c] as const))(
		"%s",
		(_, rows, state, keys = {}) => {
			const { line } = judgeScreen(rows.join("\n"));
			const reading = parseLine(line);
			expect(reading?.state ?? line).toBe(state as never);
			for (const [key, value] of Object.entries(keys))
				expect([key, reading?.get(key) ?? null]).toEqual([key, value]);
		},
	);
}

describe("the input box", () => {
	check([
		[
			"text in any colour is typed",
			box(`\x1b[38;5;153m/help${OFF}${REVERSE} `),
			"user-typing",
			{ input: "typed" },
		],
		[
			"a faint run is a suggestion",
			box(`${DIM}try this${OFF}`),
			"autosuggest-only",
			{ input: "ghost", input_text: "try%20this" },
		],
		[
			"a suggestion under the cursor",
			box(`${REVERSE}t${OFF}${DIM}ry this${OFF}`),
			"autosuggest-only",
			{ input: "ghost" },
		],
		[
			"words made faint one by one",
			box(`${REVERSE}t${OFF}${DIM}ry${OFF} ${DIM}this${OFF}`),
			"autosuggest-only",
		],
		[
			"a faint tail does not make typed words a suggestion",
			box(`/mod${REVERSE}e${OFF}${DIM}l${OFF}`),
			"user-typing",
			{ input: "typed" },
		],
		["a cursor on the last letter", box(`abc${REVERSE}d${OFF}`), "user-typing"],
		[
			"a single letter under the cursor",
			box(`${REVERSE}d${OFF}`),
			"user-typing",
		],
		[
			"faint frame glyphs are chrome",
			box(`${REVERSE} ${OFF}     ${DIM}│${OFF}`),
			"idle",
			{ input: "blank", input_text: null },
		],
		["bytes that were no UTF-8", box("\ufffd\ufffd"), "empty", { input: "?" }],
		[
			"a second row of a draft",
			[RULE, `❯\u00a0${DIM}a${OFF}`, "  typed below", RULE, MODE],
			"user-typing",
		],
		[
			"a suggestion over two rows",
			[RULE, `❯\u00a0${DIM}a`, `  b${OFF}`, RULE, MODE],
			"autosuggest-only",
		],
		[
			"a draft that quotes an empty box",
			[RULE, "❯\u00a0it shows", "  ❯\u00a0", "  and more", RULE, MODE],
			"user-typing",
			{ input_text: "it%20shows" },
		],
		[
			"a draft that quotes a dialog",
			[
				RULE,
				"❯\u00a0Do you want to proceed?",
				"  ❯ 1. Yes",
				"    2. No",
				"",
				"  Esc to cancel",
				RULE,
				MODE,
			],
			"user-typing",
		],
		[
			"a draft taller than its box, at its end",
			[
				"● Hi.",
				"",
				`─── ↑ 17 more ${"─".repeat(46)}`,
				"  line 17",
				"  line 18",
				RULE,
				MODE,
			],
			"user-typing",
			{ input: "typed" },
		],
		[
			"a draft taller than its box, at its start",
			[
				"● Hi.",
				"",
				RULE,
				"❯\u00a0line 0",
				"  line 1",
				`─── ↓ 17 more ${"─".repeat(46)}`,
				MODE,
			],
			"user-typing",
		],
		[
			"a draft that has grown past the top of the screen",
			["  line 4", "  line 5", "", "  line 7", RULE, MODE],
			"user-typing",
			{ input: "typed" },
		],
		[
			"a draft in a pane too low for the lower rule",
			["● Hi.", "", `─── ↑ 3 more ${"─".repeat(47)}`, "", "  Esc to cancel"],
			"user-typing",
			{ input: "typed" },
		],
		[
			"a draft of two rows at the very bottom",
			["● Hi.", "", RULE, `❯\u00a0${DIM}a${OFF}`, "  typed below"],
			"user-typing",
		],
		[
			"shell mode below a rule",
			["● Hi.", "", RULE, "!\u00a0ls -la", RULE, "  ! for shell mode"],
			"user-typing",
			{ input: "typed" },
		],
		["an exclamation mark below no rule", ["● Hi.", "!\u00a0ls -la"], "absent"],
		[
			"a title in the upper rule",
			[`${"─".repeat(48)} my session`, "❯\u00a0", RULE, MODE],
			"idle",
			{ input: "blank" },
		],
		[
			"a text of 300 letters is cut",
			box("x".repeat(300)),
			"user-typing",
			{ input_text: `${"x".repeat(200)}%E2%80%A6` },
		],
	]);
});

describe("the completion menu", () => {
	const entries = ["  ❯ /status    Show version", "    /statusline Set up"];
	check([
		[
			"above the box",
			[...entries, ...box("/sta")],
			"user-typing",
			{ menu: "1" },
		],
		[
			"with a description that wraps",
			[...entries, `${" ".repeat(20)}the line`, ...box("/sta")],
			"user-typing",
			{ menu: "1" },
		],
		[
			"below the box",
			[...box("/sta", []), "/status   Show version", "/statusline  Set up"],
			"user-typing",
			{ menu: "1" },
		],
		[
			"of files",
			["    + src/", ...box("look at @sr")],
			"user-typing",
			{ menu: "1" },
		],
		[
			"whose names a narrow pane has cut",
			[
				"  ❯ /add-dir   Add a",
				"    …ode-setup  Teach auto",
				`${" ".repeat(16)}mode`,
				...box("/"),
			],
			"user-typing",
			{ menu: "1" },
		],
		[
			"is none without something to complete",
			[...entries, ...box("hello")],
			"user-typing",
			{ menu: null },
		],
		["is none at an empty box", [...entries, ...box()], "idle", { menu: null }],
		[
			"a spinner of asterisks is none",
			["* Infusing… (3s · ↓ 9 tokens)", ...box("/sta")],
			"user-typing",
			{ menu: null },
		],
	]);
});

describe("a live turn", () => {
	check([
		["by its spinner", ["✶ Weaving…", "", ...box()], "busy"],
		[
			"by a spinner above a tall todo list",
			[
				"✶ Weaving…",
				...Array.from({ length: 14 }, (_, i) => `     ◻ item ${i}`),
				"",
				...box(),
			],
			"busy",
		],
		[
			"by a spinner above the survey",
			[
				"· Weaving… (5s)",
				"",
				"● How is Claude doing this session? (optional)",
				"  1: Bad    2: Fine   3: Good   0: Dismiss",
				"",
				...box(),
			],
			"busy",
		],
		[
			"by a spinner whose verb wraps",
			[
				"✶ Writing down everything that was found in",
				"  the archive… (5s)",
				"",
				...box(),
			],
			"busy",
		],
		[
			"by the status row alone",
			["● Hi.", "", ...box("", [`${MODE} · esc to interrupt · ← for agents`])],
			"busy",
		],
		[
			"by a spinner that stands still",
			[
				"\x1b[38;5;174m●\x1b[39m \x1b[38;5;174mInfusing… \x1b[38;5;246m(3s · ↓ 2 tokens)\x1b[39m",
				"",
				...box("", ["  paste again to expand"]),
			],
			"busy",
		],
		[
			"by a status row that a narrow pane has cut",
			["● Hi.", "", ...box("", ["  ⏵⏵ bypass permissions on · esc to i…"])],
			"busy",
		],
		[
			"by agents that it waits for",
			["✻ Waiting for 2 background agents to finish", "", ...box()],
			"busy",
		],
		["is over with its banner", ["✻ Brewed for 3m 9s", "", ...box()], "idle"],
		[
			"is over with an interruption",
			[
				"❯ go",
				"  ⎿  Interrupted · What should Claude do instead?",
				"",
				...box(),
			],
			"idle",
		],
		[
			"is none in an answer",
			[
				"● It showed ✶ Weaving… (5s · ↓ 2 tokens · esc to interrupt)",
				"",
				...box(),
			],
			"idle",
		],
		[
			"is none in an answer's second paragraph",
			["● It showed", "", "  ✶ Weaving… (5s · ↓ 2 tokens)", "", ...box()],
			"idle",
		],
		[
			"is none in an answer whose bullet is out of sight",
			["  It showed", "", "  ✶ Weaving… (5s · ↓ 2 tokens)", "", ...box()],
			"idle",
		],
		[
			"is none in what the user said",
			["❯ why ✶ Weaving… ↓ 2 tokens", "", ...box()],
			"idle",
		],
		[
			"shows a draft whatever it does",
			["✶ Weaving…", "", ...box("and then")],
			"user-typing",
		],
		[
			"that retries",
			["✻ API error · retrying in 1s · attempt 2/10", "", ...box()],
			"busy",
			{ retrying: "2/10" },
		],
		[
			"with messages behind it",
			[
				"✶ Weaving…",
				"",
				...box(`${DIM}Press up to edit queued messages${OFF}`),
			],
			"busy",
			{ queued: "1" },
		],
		[
			"a quoted placeholder is no queue",
			[
				"● It showed",
				`  ${RULE}`,
				"  ❯ Press up to edit queued messages",
				`  ${RULE}`,
				"",
				...box(),
			],
			"idle",
			{ queued: null },
		],
	]);
});

describe("background handles", () => {
	check([
		[
			"are counted in the status row",
			box("", ["  ⏵⏵ bypass permissions on · 1 shell · ↓ to manage"]),
			"working-background",
			{ bg_shells: "0" },
		],
		[
			"of two kinds",
			box("", ["  ⏵⏵ bypass permissions on · 2 shells, 1 monitor"]),
			"working-background",
			{ bg_shells: "0" },
		],
		[
			"that wake the session themselves",
			box("", ["  ⏵⏵ bypass permissions on · 2 background tasks"]),
			"working-background",
			{ bg_shells: null },
		],
		[
			"in a status row that a narrow pane has wrapped",
			[
				...box().slice(0, 3),
				`  ⏵⏵ bypass permissions on (shift+tab to cycle) · 1${""}`,
				"  shell",
			],
			"working-background",
		],
		[
			"in a banner, while a hint hides the mode line",
			[
				"✻ Brewed for 3s · 1 shell still running",
				"",
				...box("", ["  paste again to expand"]),
			],
			"working-background",
		],
		[
			"in a wrapped banner, while the mode line is cut",
			[
				"✻ Brewed for 3s · done 5:53",
				"  PM · 1 shell still running",
				"",
				...box("", ["  ⏵⏵ bypass permissions on ·"]),
			],
			"working-background",
		],
		[
			"in an old banner over a whole mode line are over",
			["✻ Brewed for 3s · 1 shell still running", "", ...box()],
			"idle",
		],
		[
			"in prose are none",
			["● I left 2 shells still running.", "", ...box()],
			"idle",
		],
	]);
});

describe("a dialog", () => {
	const options = ["❯ 1. Yes", "  2. No"];
	check([
		[
			"takes the place of the box",
			[
				RULE,
				" Bash command",
				"",
				" Do you want to proceed?",
				...options.map((o) => ` ${o}`),
				"",
				" Esc to cancel",
			],
			"blocked",
			{ overlay: "permission", input: null },
		],
		[
			"whose question wraps",
			[
				RULE,
				" Do you want to allow Claude to fetch this very long",
				" content?",
				...options.map((o) => ` ${o}`),
			],
			"blocked",
			{ overlay: "permission" },
		],
		[
			"whose question wraps below a cut preview",
			[
				RULE,
				" Fetch",
				` ↑ 3 more lines ${"╌".repeat(44)}`,
				" Do you want to allow Claude to fetch this page and",
				" this content?",
				" ❯ 1. Yes",
				"   2. No",
			],
			"blocked",
			{ overlay: "permission" },
		],
		[
			"whose shown command quotes another",
			[
				RULE,
				" │ Do you want to proceed?",
				" │ ❯ 1. Yes",
				" Do you want to proceed?",
				...options.map((o) => ` ${o}`),
			],
			"blocked",
			{ overlay: "permission" },
		],
		[
			"of an older answer, with a box below, is none",
			["● Do you want to proceed?", ...options, "", ...box()],
			"idle",
		],
		[
			"quoted while a turn runs, box not drawn",
			["● Do you want to proceed?", ...options, "", "✶ Weaving… (3s)"],
			"busy",
		],
		[
			"with a usage limit",
			[
				"What do you want to do?",
				"",
				"❯ 1. Stop and wait for limit to reset",
				"  2. Upgrade your plan",
			],
			"blocked",
			{ overlay: "rate-limit" },
		],
		[
			"about an old session",
			[
				"This session is old.",
				"",
				"❯ 1. Resume from summary",
				"  2. Resume full session as-is",
				"",
				"Enter to confirm · Esc to cancel",
			],
			"blocked",
			{ overlay: "resume-summary" },
		],
		[
			"about the theme, a mark before the option in force",
			[
				" Choose the text style that looks best",
				"",
				" ❯ ✔ Auto",
				"     Dark mode",
				"",
				" Syntax theme: X (ctrl+t to disable)",
			],
			"blocked",
			{ overlay: "theme" },
		],
		[
			"about the login",
			[
				"  Select login method:",
				"",
				"  ❯ 1. Claude account",
				"    2. Console account",
				"",
				"  Esc to cancel",
			],
			"blocked",
			{ overlay: "login" },
		],
		[
			"without numbers, by its alignment and keys",
			[
				RULE,
				"  Export",
				"",
				"  ❯ Copy to clipboard  It goes there",
				"    Save to file       It goes here",
				"",
				"  Enter to select · Esc to cancel",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		["without numbers and keys is none", ["❯ do it", "  now"], "absent"],
		[
			"the last option, parted by a rule",
			[
				" ☐ Database",
				"Which?",
				"  1. SQLite",
				"  2. my own answer",
				RULE,
				"❯ 3. Chat about this",
				"",
				"Enter to select · Esc to cancel",
			],
			"blocked",
			{ overlay: "askuq" },
		],
		[
			"the review of several answers",
			[
				"←  ☒ Database  ☒ Region  ✔ Submit  →",
				"Review your answers",
				"❯ 1. Submit answers",
				"  2. Cancel",
			],
			"blocked",
			{ overlay: "askuq" },
		],
		[
			"in a pane so low that one option shows",
			[
				VIEW,
				"  Background work is running",
				"  ❯ 1. Exit and stop tasks",
				"",
				"  Enter to confirm · Esc to cancel",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a view of text",
			[RULE, "  Skills", "  No skills yet", "", "  Esc to close"],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a view closed by other keys",
			[
				RULE,
				"  Shell details",
				"  ← to go back · Esc/Enter/Space to close · x to stop",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a view that names its keys more tersely",
			[
				RULE,
				"  Permissions:  Allow   Deny",
				"",
				"    1. Add a new rule…",
				"",
				"   ←/→ tab switch · ↓ return · Esc cancel",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a framed list of older releases",
			[
				"> /memory",
				"╭──────────╮",
				"│ Select memory to edit:          │",
				"│  ❯ 1. User memory                │",
				"│    2. Project memory             │",
				"│          │",
				"╰──────────╯",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"the plan of older releases",
			[
				RULE,
				" Ready to code?",
				"",
				" Would you like to proceed?",
				"",
				" ❯ 1. Yes, and auto-accept edits",
				"   2. Type here to tell Claude what to change",
				"",
				" ctrl-g to edit in Vim",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"about the theme, with a preview below",
			[
				" Choose the text style that looks best",
				"",
				" ❯ 1. Dark mode ✔",
				"   2. Light mode",
				"",
				"╌╌╌╌╌╌╌╌",
				" 1   function greet() {",
				" 3   }",
				"╌╌╌╌╌╌╌╌",
				" Syntax highlighting available only in native build",
			],
			"blocked",
			{ overlay: "theme" },
		],
		[
			"a question quoted while a turn runs, box not drawn",
			[
				"● It asks",
				"  3. Type something.",
				"  4. Chat about this",
				"",
				"✶ Weaving… (3s)",
			],
			"busy",
		],
		[
			"a warning quoted above a later answer is none",
			[
				"● Bypass Permissions mode",
				"  ❯ 2. Yes, I accept",
				"",
				"● Enter to confirm, it said",
			],
			"absent",
		],
		[
			"quoted while the box is not drawn is none",
			["● It asks", "  ❯ 1. Yes", "    2. No", "", RULE, RULE, MODE],
			"absent",
		],
		[
			"the review, its questions out of sight",
			[
				"Review your answers",
				" ↑ 2 more lines",
				"❯ 1. Submit answers",
				"  2. Cancel",
			],
			"blocked",
			{ overlay: "askuq" },
		],
		[
			"a view cut at its end below an output",
			[
				"  ⎿  Login interrupted",
				"",
				RULE,
				"  Select model",
				"  ❯ 1. Default   Use the",
				"                 default",
			],
			"blocked",
		],
		[
			"a view that names no keys",
			["❯ /skills", "", RULE, "  Skills", "", "  No skills found"],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a box that is not drawn is no view",
			["● Hi.", "", RULE, RULE, "  ◉ Opus │ 10%"],
			"absent",
		],
		[
			"a view of releases that write `escape`",
			[RULE, "  Settings:  Status", "  Setting sources:", "  escape to cancel"],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a view taller than the pane",
			[VIEW, "  Settings  Status", "  Version: 2", "  Features: none    ↓"],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a screen that waits for Enter",
			[
				"Welcome",
				" Security notes:",
				" 1. Claude can make mistakes.",
				"",
				" Press Enter to continue",
			],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"the box of another view",
			[
				"  Needs input",
				"",
				RULE,
				"❯ describe a task for a new session",
				RULE,
				"  ⏵⏵ bypass permissions · enter to return",
			],
			"blocked",
			{ overlay: "dialog", input: null },
		],
		[
			"the older search through the history",
			["● Hi.", "", ...box("", ["search prompts: dep"])],
			"blocked",
			{ overlay: "dialog" },
		],
		[
			"a status line that wears a chevron is none",
			[
				"● Hi.",
				"",
				...box("", [
					"  ❯ main",
					"    branch",
					"  x   Ctrl+Y to paste deleted text",
				]),
			],
			"idle",
			{ overlay: null },
		],
		[
			"help below the box is none",
			[
				"● Hi.",
				"",
				...box("", ["  ! for shell mode   ctrl+o to see full transcript"]),
			],
			"idle",
			{ overlay: null },
		],
	]);
});
