/** The pure half of the tmux door: words, rows, captures, look-ups, verdicts. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type {
	PaneRow,
	PaneRows,
	TmuxCommand,
} from "../../monitor/_sys/doors.ts";
import {
	captureScript,
	splitCaptures,
} from "../../monitor/_sys/tmux-captures.ts";
import {
	buildCommand,
	guardSemicolon,
} from "../../monitor/_sys/tmux-commands.ts";
import {
	lookupExitCode,
	resolveActivePane,
	resolveWindowId,
	resolveWindowIndex,
	sameServer,
	validateWindowName,
} from "../../monitor/_sys/tmux-lookup.ts";
import {
	lookPaneLiveness,
	mayPaste,
	paneLiveness,
	targetPresence,
} from "../../monitor/_sys/tmux-panes.ts";
import { PANE_FORMAT, parsePaneRows } from "../../monitor/_sys/tmux-rows.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { HUNG, NO_TMUX, REFUSED, ZERO_ROWS } from "../fakes/tmux.ts";
import { paneRow } from "../fakes/tmux-model.ts";

function rows(...parts: readonly Partial<PaneRow>[]): PaneRows {
	return { kind: "ok", rows: parts.map(paneRow) };
}
function words(cmd: TmuxCommand): readonly string[] | string {
	const built = buildCommand(cmd);
	return built.kind === "ok" ? built.argv : built.why;
}

describe("words for tmux", () => {
	test.each([
		["a;", "a\\;"],
		[";", "\\;"],
		["a\\;", "a\\\\;"],
		["a;b", "a;b"],
		["", ""],
	])("%p is guarded as %p", (word, guarded) => {
		expect(guardSemicolon(word)).toBe(guarded);
	});

	test.each<readonly [TmuxCommand, readonly string[]]>([
		[
			{ kind: "send-keys", target: "%1", keys: ["i", "BSpace"] },
			["send-keys", "-t", "%1", "--", "i", "BSpace"],
		],
		[
			{ kind: "paste-buffer", buffer: "b", target: "@1" },
			[
				...["if-shell", "-F", "-t", "@1", "#{pane_dead}"],
				"show-buffer -b the-pane-is-dead",
				"paste-buffer -p -d -b b -t @1",
			],
		],
		[
			{ kind: "rename-window", target: "@1", name: "#{pid};" },
			["rename-window", "-t", "@1", "--", "##{pid}\\;"],
		],
		[
			{ kind: "select-window", target: "@2", session: "$3" },
			["select-window", "-t", "$3:@2"],
		],
		[
			{
				kind: "set-option",
				scope: "window",
				target: "@1",
				name: "n",
				value: ";",
			},
			["set-option", "-w", "-t", "@1", "--", "n", "\\;"],
		],
		[
			{
				kind: "new-window",
				session: "$0",
				name: "w",
				cwd: "/a#b;",
				command: ["sh", "-c", "x;"],
				env: { A: "1;" },
			},
			[
				...["new-window", "-d", "-P", "-F"],
				"#{session_id}|#{window_id}|#{pane_id}",
				...["-t", "$0:", "-n", "w", "-c", "/a##b\\;", "-e", "A=1\\;"],
				...["--", "sh", "-c", "x\\;"],
			],
		],
	])("%j", (cmd, argv) => {
		expect(words(cmd)).toEqual(argv);
	});

	test("a command of one word does not go through a shell", () => {
		const argv = words({
			kind: "new-window",
			session: "$0",
			name: "w",
			command: ["a b"],
		});
		expect(argv.slice(-3)).toEqual(["--", "env", "a b"]);
	});

	test.each<TmuxCommand>([
		{ kind: "send-keys", target: "w1", keys: ["x"] },
		{ kind: "send-keys", target: "%1", keys: [] },
		{ kind: "send-keys", target: "%1", keys: [""] },
		{ kind: "send-keys", target: "%1", keys: ["a\r"] },
		{ kind: "paste-buffer", buffer: "b; kill-server", target: "@1" },
		{ kind: "kill-window", target: "orchestrator" },
		{ kind: "kill-session", target: "nexus" },
		{ kind: "select-window", target: "@1", session: "main" },
		{ kind: "rename-window", target: "@1", name: "" },
		{ kind: "rename-window", target: "@1", name: "a\nb" },
		{ kind: "new-window", session: "main", name: "w", command: ["x"] },
		{ kind: "new-window", session: "$0", name: "w", command: [] },
		{ kind: "new-window", session: "$0", name: "", command: ["x"] },
		{
			kind: "new-window",
			session: "$0",
			name: "w",
			command: ["x"],
			env: { "A B": "" },
		},
		{ kind: "new-session", name: "a.b" },
		{ kind: "new-session", name: "a:b" },
		{ kind: "new-session", name: "" },
		{ kind: "new-session", name: "x", groupWith: "main" },
		{ kind: "new-session", name: "x", groupWith: "$0", windowName: "w" },
		{ kind: "has-session", name: "a:0" },
	])("refused: %j", (cmd) => {
		expect(buildCommand(cmd).kind).toBe("refused");
	});

	test("no word of any command ends in a bare semicolon", () => {
		const text = fc.string({ maxLength: 8 }).map((s) => `${s};`);
		fc.assert(
			fc.property(text, text, (a, b) => {
				const made: TmuxCommand[] = [
					{ kind: "send-keys", target: "%1", keys: [a, b] },
					{ kind: "rename-window", target: "@1", name: a },
					{ kind: "load-buffer", buffer: a, path: b },
					{ kind: "new-window", session: "$0", name: a, command: [a, b] },
					{ kind: "set-option", scope: "server", name: a, value: b },
				];
				for (const cmd of made) {
					const built = buildCommand(cmd);
					if (built.kind !== "ok") continue;
					for (const word of built.argv)
						expect(word).not.toMatch(/(^|[^\\]);$/);
				}
			}),
		);
	});
});

describe("rows of list-panes", () => {
	const line = (session: string, window: string) =>
		`$0|@1|2|%3|0|1|1|0|77|80|24|5|6|0|900|1785258000|${Buffer.byteLength(session)}|${session}|${window}\n`;

	test("the format separates by `|` and names the window last", () => {
		expect(PANE_FORMAT).not.toContain("\t");
		expect(PANE_FORMAT.endsWith("|#{window_name}")).toBe(true);
	});

	test("any session and window names come back as they are, and never break the listing", () => {
		const name = fc
			.string({ unit: "binary", maxLength: 12 })
			.map((s) => s.replaceAll("\n", "\\n").toWellFormed());
		fc.assert(
			fc.property(name, name, (session, window) => {
				const parsed = parsePaneRows(line("x", "w") + line(session, window));
				expect(parsed?.[1]).toMatchObject({ session, windowName: window });
			}),
		);
		expect(parsePaneRows(line("a|b", "c|d|"))?.[0]).toEqual(
			paneRow({
				session: "a|b",
				windowIndex: 2,
				paneId: "%3",
				panePid: 77,
				width: 80,
				height: 24,
				cursorX: 5,
				cursorY: 6,
				windowName: "c|d|",
			}),
		);
	});

	test.each([
		["cut short", line("s", "w").slice(0, -1)],
		["too few fields", "$0|@1|2\n"],
		["no id", line("s", "w").replace("@1", "x")],
		["a number that is none", line("s", "w").replace("|80|", "|wide|")],
		[
			"a session length that does not fit",
			"$0|@1|2|%3|0|1|1|0|77|80|24|5|6|0|900|1|99|s|w\n",
		],
		["tabs turned to underscores", line("s", "w").replaceAll("|", "_")],
	])("a row with %s makes the whole answer unreadable", (_what, text) => {
		expect(parsePaneRows(line("s", "good") + text)).toBeNull();
	});

	test("an odd dead flag and a missing pid are kept as what they are", () => {
		const odd = line("s", "w").replace("|1|1|0|77|", "|1|1|?||");
		expect(parsePaneRows(odd)?.[0]).toMatchObject({
			paneDead: "?",
			panePid: null,
		});
	});
});

describe("many captures through one client", () => {
	test("the script asks each pane between its marker and the next, and ends with the end mark", () => {
		expect(captureScript(["%1", "%20"], "nxab").split("\n")).toEqual([
			"display-message -p nxabp1",
			"capture-pane -p -e -N -t %1",
			"display-message -p nxabp20",
			"capture-pane -p -e -N -t %20",
			"display-message -p nxabend",
			"",
		]);
	});

	test.each([
		["nxp1\na\nb\nnxp2\n\nnxend\n", { "%1": "a\nb\n", "%2": "\n" }],
		["nxp1\nnxp2\nc\nnxend\n", { "%2": "c\n" }],
		["nxp1\nnxp2\nnxend\n", {}],
		["nxp1\na\nnxp2\n", null],
		["", null],
	])("%j is cut into %j", (stdout, texts) => {
		const got = splitCaptures(stdout, ["%1", "%2"], "nx");
		expect(got === null ? null : Object.fromEntries(got)).toEqual(texts);
	});
});

describe("window names", () => {
	test.each(["a", "bench-a.1", "0", "A_b", "x".repeat(200)])(
		"%p is one",
		(n) => {
			expect(validateWindowName(n)).toBeNull();
		},
	);
	test.each([
		["", "empty"],
		["a\nb", "control character"],
		["a\x1b[31m", "control character"],
		["\x9b", "control character"],
		["-a", "letters, digits"],
		[".a", "letters, digits"],
		["a b", "letters, digits"],
		["a:b", "letters, digits"],
		["•bell", "letters, digits"],
		["@1", "letters, digits"],
	])("%j is none: %s", (name, why) => {
		expect(validateWindowName(name)).toContain(why);
	});
});

describe("look-up of a window by name", () => {
	const some = rows(
		{ windowName: "w1-sk", windowId: "@1", windowIndex: 1 },
		{ windowName: "w1", windowId: "@2", windowIndex: 2 },
		{ windowName: "w1", windowId: "@3", windowIndex: 3 },
		{ windowName: "a.0", windowId: "@4", windowIndex: 4 },
	);
	test.each([
		[some, "w1", { kind: "present", value: "@2" }, 0],
		[some, "a.0", { kind: "present", value: "@4" }, 0],
		[some, "w", { kind: "absent" }, 1],
		[some, "W1", { kind: "absent" }, 1],
		[some, "a", { kind: "absent" }, 1],
		[some, "", { kind: "cannot-ask" }, 2],
		[HUNG, "", { kind: "cannot-ask" }, 2],
		[HUNG, "w1", { kind: "could-not-look" }, 3],
		[NO_TMUX, "w1", { kind: "could-not-look" }, 3],
		[REFUSED, "w1", { kind: "could-not-look" }, 3],
		[ZERO_ROWS, "w1", { kind: "could-not-look" }, 3],
		[{ kind: "aborted" }, "w1", { kind: "could-not-look" }, 3],
		[rows(), "w1", { kind: "could-not-look" }, 3],
	] as const)("%#", (listed, name, expected, code) => {
		const found = resolveWindowId(listed, name);
		expect(found).toMatchObject(expected);
		expect(lookupExitCode(found)).toBe(code);
	});

	test("the index and the active pane are of the same first match", () => {
		expect(resolveWindowIndex(some, "w1")).toMatchObject({ value: 2 });
		const split = rows(
			{ windowName: "w", paneId: "%1", paneActive: false },
			{ windowName: "w", paneId: "%2", paneActive: true },
		);
		expect(resolveActivePane(split, "w")).toMatchObject({
			value: { paneId: "%2" },
		});
		expect(resolveActivePane(split, "x").kind).toBe("absent");
		expect(resolveActivePane(HUNG, "w").kind).toBe("could-not-look");
	});

	test("two servers are the same only with the same pid and the same start time", () => {
		const a = { pid: 1, startTime: 2 };
		expect(sameServer(a, { ...a })).toBe(true);
		expect(sameServer(a, { pid: 1, startTime: 3 })).toBe(false);
		expect(sameServer(a, { pid: 2, startTime: 2 })).toBe(false);
	});
});

describe("the pane that a paste would land in", () => {
	const w = { windowName: "w", windowId: "@1", paneId: "%1" };
	const inactive = { ...w, paneId: "%2", paneActive: false };
	test.each<readonly [string, PaneRows, string, string]>([
		["alive", rows(w), "w", "live"],
		["by id", rows(w), "@1", "live"],
		["by pane", rows(w), "%1", "live"],
		["with the exact-match prefix", rows(w), ":=w", "live"],
		["a corpse", rows({ ...w, paneDead: "1" }), "w", "dead"],
		["an odd flag", rows({ ...w, paneDead: "" }), "w", "unknown"],
		["a flag of 2", rows({ ...w, paneDead: "2" }), "w", "unknown"],
		[
			"only the active pane counts",
			rows(w, { ...inactive, paneDead: "1" }),
			"w",
			"live",
		],
		[
			"unless a pane is meant",
			rows(w, { ...inactive, paneDead: "1" }),
			"%2",
			"dead",
		],
		[
			"a dead twin outranks",
			rows(w, { ...w, windowId: "@2", paneDead: "1" }),
			"w",
			"dead",
		],
		[
			"a dead twin outranks an odd one",
			rows({ ...w, paneDead: "?" }, { ...w, paneDead: "1" }),
			"w",
			"dead",
		],
		["no active pane", rows(inactive), "w", "unknown"],
		["no such name", rows(w), "v", "absent"],
		["a prefix is no name", rows({ ...w, windowName: "w-sk" }), "w", "absent"],
		["no target", rows(w), "", "unknown"],
		["only the prefix", rows(w), ":=", "unknown"],
		["no tmux", NO_TMUX, "w", "unknown"],
		["hung", HUNG, "w", "unknown"],
		["failed", REFUSED, "w", "unknown"],
		["not one row", rows(), "w", "unknown"],
	])("%s", (_what, listed, target, verdict) => {
		expect(paneLiveness(listed, target)).toBe(verdict as never);
	});

	test.each([
		["no", "absent"],
		["yes", "unknown"],
		["unknown", "unknown"],
	] as const)(
		"an id in no row, of which list-panes -t says %p, is %p",
		(exists, verdict) => {
			expect(paneLiveness(rows(w), "@9", exists)).toBe(verdict);
			expect(paneLiveness(rows(w), "%9", exists)).toBe(verdict);
		},
	);

	test("tmux is asked once, and again only for an id that is in no row", async () => {
		const { tmux } = fakeDoors();
		const { id } = tmux.window("w");
		const ask = async (target: string) => {
			tmux.calls.length = 0;
			return [await lookPaneLiveness(tmux, target), ...tmux.trace()];
		};
		expect(await ask("w")).toEqual(["live", "panes"]);
		expect(await ask(id)).toEqual(["live", "panes"]);
		expect(await ask("gone")).toEqual(["absent", "panes"]);
		expect(await ask("@99")).toEqual(["absent", "panes", "exists"]);
		tmux.fail("exists", REFUSED);
		expect(await ask("@99")).toEqual(["unknown", "panes", "exists"]);
		tmux.fail("panes", REFUSED);
		expect(await ask("@99")).toEqual(["unknown", "panes"]);
	});

	test("a paste goes on only into a live pane, or an absent one, which merely errors", () => {
		const verdicts = ["live", "absent", "dead", "unknown"] as const;
		expect(verdicts.map(mayPaste)).toEqual([true, true, false, false]);
	});
});

describe("is the target there", () => {
	const t = { windowName: "t" };
	test.each<readonly [string, PaneRows, 0 | 1 | 2]>([
		["one pane alive", rows(t), 0],
		["one alive beside a corpse", rows({ ...t, paneDead: "1" }, t), 0],
		[
			"an alive pane that is not the active one",
			rows({ ...t, paneActive: false }),
			0,
		],
		["an odd flag counts as alive", rows({ ...t, paneDead: "" }), 0],
		["only corpses", rows({ ...t, paneDead: "1" }), 2],
		["no such window", rows({ windowName: "other" }), 2],
		["a longer name is another window", rows({ windowName: "t-2" }), 2],
		["no tmux", NO_TMUX, 1],
		["a failed query", REFUSED, 1],
		["a hung tmux", HUNG, 1],
		["rc 0 and not one row", ZERO_ROWS, 1],
		["an empty list", rows(), 1],
	])("%s", (_what, listed, answer) => {
		expect(targetPresence(listed, "t")).toBe(answer);
	});
});
