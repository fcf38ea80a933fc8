import { describe, expect, test } from "bun:test";
import { parseLine } from "../../monitor/_pane/line.ts";
import { capture, expectations, judgeScreen } from "./fixtures.ts";

for (const set of ["claude-code", "panes"] as const)
	describe(`the screen alone tells what a pane of ${set} does`, () => {
		test.each([...expectations(set)])("%s", (file, expected) => {
			const { line } = judgeScreen(capture(set, file));
			const reading = parseLine(line);
			expect([expected.state, ...(expected.also ?? [])]).toContain(
				reading?.state ?? line,
			);
			const keys = Object.keys(expected.keys);
			expect(Object.fromEntries(keys.map((k) => [k, reading?.get(k)]))).toEqual(
				{ ...expected.keys },
			);
		});
	});

/** Recorded before labels carried `menu`. */
const MENUS = ["draft-file-menu", "draft-slash-menu", "slash-typed"];

test.each([...expectations("claude-code")])(
	"an open completion menu is reported, and nowhere else: %s",
	(file, { keys }) => {
		const isOld = MENUS.some((name) => file.endsWith(`/${name}.ansi`));
		const { line } = judgeScreen(capture("claude-code", file));
		const menu = parseLine(line)?.get("menu") ?? null;
		expect(menu).toBe(isOld ? "1" : (keys.menu ?? null));
	},
);
