import { expect, test } from "bun:test";
import { nextCursor, nextPage } from "../../monitor/_github/pages.ts";

test.each([
	[undefined, null],
	["", null],
	['<https://a/x?page=3>; rel="next"', 3],
	[
		'<https://a/x?page=1>; rel="prev", <https://evil/x?a=1,2&page=3>; rel="next", <https://a/x?page=9>; rel="last"',
		3,
	],
	["<https://a/x?page=4>; rel=next", 4],
	['<https://a/x?page=9>; rel="last"', null],
	['<https://a/x>; rel="next"', null],
	['<https://a/x?page=-1>; rel="next"', null],
	['<not a url>; rel="next"', null],
	['<https://a/x?page=3>; title="rel=next"; rel="first"', null],
])("Link %j: next page %p", (link, page) => {
	expect(nextPage(link === undefined ? {} : { link })).toBe(page);
});

test("a cursor is taken as it is", () => {
	const link = '<https://a/x?per_page=100&cursor=v1_38%2B0>; rel="next"';
	expect(nextCursor({ link })).toBe("v1_38+0");
	expect(nextCursor({ link: '<https://a/x?cursor=>; rel="next"' })).toBeNull();
});
