import { describe } from "bun:test";
import { box, check, DIM, MODE, OFF, REVERSE, RULE } from "./screen-cases.ts";

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
			"without colours, one of Claude Code's own texts behind the cursor",
			box(`${REVERSE}R${OFF}esend your message to try again`),
			"autosuggest-only",
			{ input: "ghost" },
		],
		[
			"without colours, an example",
			box(`${REVERSE}T${OFF}ry "edit a.ts to…"`),
			"autosuggest-only",
		],
		[
			"without colours, the same text with the cursor at its end",
			box(`Resend your message to try again${REVERSE} ${OFF}`),
			"user-typing",
			{ input: "typed" },
		],
		[
			"without colours, other text behind the cursor",
			box(`${REVERSE}R${OFF}esend your message to try again, please`),
			"user-typing",
			{ input: "typed" },
		],
		[
			"with colours, one of Claude Code's own texts that is not faint",
			box(`${REVERSE}R${OFF}esend your message to try again`, [
				`\x1b[38;5;211m${MODE}${OFF}`,
			]),
			"user-typing",
			{ input: "typed" },
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
