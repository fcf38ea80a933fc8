import { describe } from "bun:test";
import { box, type Case, check, DIM, MODE, OFF, RULE } from "./screen-cases.ts";

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
		[
			"by its token counter alone",
			["Reading (12s · ↑ 1.2k tokens)", "", ...box()],
			"busy",
		],
		[
			"by a spinner that stands still before its counter",
			[
				"\x1b[38;5;174m●\x1b[39m \x1b[38;5;174mInfusing… \x1b[38;5;246m(3s)\x1b[39m",
				"",
				...box("", ["  paste again to expand"]),
			],
			"busy",
		],
		[
			"that waits for capacity",
			[
				"✶ Waiting for capacity · next try in 3s · Esc to interrupt",
				"",
				...box(),
			],
			"busy",
			{ throttled: "1" },
		],
		[
			"at lower priority, with all the signs of one",
			[
				"✶ Weaving… (3s · ↓ 2 tokens) · lower priority · esc to interrupt",
				"",
				...box(),
			],
			"busy",
			{ throttled: "1" },
		],
		[
			"is none in a tip that names the key alone",
			["Tip: esc to interrupt", "", ...box()],
			"idle",
		],
		[
			"is none in a tip that names the wait alone",
			["Tip: no waiting for capacity", "", ...box()],
			"idle",
		],
		[
			"is none in a list with an asterisk",
			["* a list item", "  that goes on", "", ...box()],
			"idle",
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
			"with messages behind it, the box not drawn",
			["● Hi.", "", RULE, "❯ Press up to edit queued messages", RULE, MODE],
			"busy",
			{ queued: "1" },
		],
		[
			"with messages behind it, in a pane that shows the box alone",
			["❯ Press up to edit queued messages", RULE, MODE],
			"busy",
			{ queued: "1" },
		],
		[
			"a placeholder that stands where no box does is no queue",
			["● Hi.", "", "❯ Press up to edit queued messages", RULE, MODE],
			"absent",
			{ queued: null },
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
			"of the older words in a banner",
			[
				"✻ Brewed for 3s · 2 background bash still running",
				"",
				...box("", ["  paste again to expand"]),
			],
			"working-background",
			{ bg_shells: "0" },
		],
		[
			"that are a monitor, in the status row",
			box("", ["  ⏵⏵ bypass permissions on · 1 monitor"]),
			"working-background",
			{ bg_shells: null },
		],
		[
			"that are monitors, in a banner",
			[
				"✻ Brewed for 3s · 2 monitors still running",
				"",
				...box("", ["  paste again to expand"]),
			],
			"working-background",
			{ bg_shells: null },
		],
		[
			"in a banner, while the mode line is cut within a word",
			[
				"✻ Brewed for 3s · 1 shell still running",
				"",
				...box("", ["  ⏵⏵ bypass permissions on · ← for a…"]),
			],
			"working-background",
		],
		...[box(), box("", [`${MODE} · ← for agents`])].map(
			(rows, i): Case => [
				`in an old banner over a whole mode line are over (${i + 1})`,
				["✻ Brewed for 3s · 1 shell still running", "", ...rows],
				"idle",
			],
		),
		[
			"in a line that is no banner are none",
			[
				"It left 2 shells still running",
				"",
				...box("", ["  paste again to expand"]),
			],
			"idle",
		],
		[
			"in prose are none",
			["● I left 2 shells still running.", "", ...box()],
			"idle",
		],
	]);
});
