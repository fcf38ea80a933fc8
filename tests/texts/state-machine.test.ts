/** The page of states says what the product decides now. */
import { expect, test } from "bun:test";
import { readText } from "./commands.ts";
import { PAGE, renderPage } from "./state-machine/page.ts";

test("the page is what the decisions give; make it anew with bun tests/texts/state-machine/write.ts", async () =>
	expect(readText(PAGE)).toBe(await renderPage()));
