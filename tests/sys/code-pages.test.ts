import { expect, test } from "bun:test";
import {
	cleanRanges,
	releaseCodePages,
} from "../../monitor/_sys/code-pages.ts";

const mapping = (head: string, dirty: number) =>
	`${head}\nRss:                 400 kB\nPrivate_Dirty:      ${dirty} kB\nSwap: 0 kB\n`;

test.each([
	["text", "01a40000-0684a000 r-xp 01838000 fe:00 5309    /usr/lib/bun", 0],
	[
		"constants",
		"01a40000-0684a000 r--p 00000000 fe:00 5309    /usr/lib/bun",
		0,
	],
])("clean, read-only pages of a file are given back: %s", (_, head, dirty) => {
	expect(
		cleanRanges(
			mapping("00100000-00200000 rw-p 0 00:00 0", 4) + mapping(head, dirty),
		),
	).toEqual([{ from: 0x1a40000n, to: 0x684a000n }]);
});

test.each([
	[
		"relocated by the loader",
		"01a40000-0684a000 r--p 06656000 fe:00 5309    /usr/lib/bun",
		16,
	],
	["data", "01a40000-0684a000 rw-p 06641000 fe:00 5309    /usr/lib/bun", 0],
	[
		"writable text",
		"01a40000-0684a000 rwxp 00000000 fe:00 5309    /usr/lib/bun",
		0,
	],
	[
		"shared with others",
		"01a40000-0684a000 r--s 00000000 fe:00 5309    /usr/share/locale",
		0,
	],
	["no file", "7f0000000000-7f0000001000 r-xp 00000000 00:00 0", 0],
	[
		"the kernel's own",
		"7ffc00000000-7ffc00001000 r-xp 00000000 00:00 0    [vdso]",
		0,
	],
])("nothing else is: %s", (_, head, dirty) => {
	expect(cleanRanges(mapping(head, dirty))).toEqual([]);
});

test("the program goes on after its text was given back", () => {
	releaseCodePages();
	expect(JSON.parse('{"still":"here"}')).toEqual({ still: "here" });
});
