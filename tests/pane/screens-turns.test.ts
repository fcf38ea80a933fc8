import { describe } from "bun:test";
import { box, check, DIM, MODE, OFF, RULE } from "./screen-cases.ts";

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
