/** The page on a watcher's params says what is checked, and the template holds every field. */
import { expect, test } from "bun:test";
import { PARAM_FIELDS } from "../../monitor/_state/fleet/watch-params-fields.ts";
import { readText } from "./commands.ts";
import { PAGE, renderPage, template } from "./watch-params/page.ts";

test("the page is what the table gives; make it anew with bun tests/texts/watch-params/write.ts", () =>
	expect(readText(PAGE)).toBe(renderPage()));

test("the template holds every field, in the same order", () =>
	expect(Object.keys(template())).toEqual([
		"schema",
		...PARAM_FIELDS.map(({ key }) => key),
	]));
