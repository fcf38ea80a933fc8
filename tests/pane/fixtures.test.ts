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

const MENUS = ["draft-file-menu", "draft-slash-menu", "slash-typed"];

test.each(expectations("claude-code").map(([file]) => file))(
	"an open completion menu is reported, and nowhere else: %s",
	(file) => {
		const hasMenu = MENUS.some((name) => file.endsWith(`${name}.ansi`));
		const { line } = judgeScreen(capture("claude-code", file));
		expect(parseLine(line)?.get("menu") ?? null).toBe(hasMenu ? "1" : null);
	},
);
