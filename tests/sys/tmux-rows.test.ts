import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	captureScript,
	splitCaptures,
} from "../../monitor/_sys/tmux-captures.ts";
import { PANE_FORMAT, parsePaneRows } from "../../monitor/_sys/tmux-rows.ts";
import { paneRow } from "../fakes/tmux-model.ts";

describe("rows of list-panes", () => {
	const line = (session: string, window: string) =>
		`$0|@1|2|%3|0|1|1|0|77|80|24|5|6|0|900|1785258000|1785258060|${Buffer.byteLength(session)}|${session}|${window}\n`;

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
			"$0|@1|2|%3|0|1|1|0|77|80|24|5|6|0|900|1|2|99|s|w\n",
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
