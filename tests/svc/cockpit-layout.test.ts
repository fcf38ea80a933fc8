/** Lines and pages of the cockpit (contract 06 §7.3). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { geometryOf, lineCost } from "../../monitor/_svc/cockpit/geometry.ts";
import { type Block, pageOf } from "../../monitor/_svc/cockpit/paging.ts";

describe("what a line costs", () => {
	test.each([
		["a".repeat(113), 100, 2],
		["", 80, 1],
		["a".repeat(80), 80, 1],
		["a".repeat(81), 80, 2],
		["\u001b[31mred\u001b[0m", 3, 1],
		["漢字漢字", 4, 2],
	])("%j at some columns", (line, cols, cost) => {
		expect(lineCost(line, cols)).toBe(cost);
	});
});

describe("how large the screen is", () => {
	const none = { rows: null, cols: null };
	test.each([
		[none, { rows: 40, cols: 120 }, { rows: 40, cols: 120 }],
		[none, null, { rows: 24, cols: 80 }],
		[none, { rows: 4, cols: 120 }, { rows: 24, cols: 120 }],
		[none, { rows: 40, cols: 19 }, { rows: 40, cols: 80 }],
		[
			{ rows: 10, cols: 50 },
			{ rows: 40, cols: 120 },
			{ rows: 10, cols: 50 },
		],
		[
			{ rows: 3, cols: null },
			{ rows: 40, cols: 120 },
			{ rows: 40, cols: 120 },
		],
	])("wished %j, terminal %j", (wished, terminal, size) => {
		expect(geometryOf(wished, terminal)).toEqual(size);
	});
});

const up = (name: string): Block => ({ lines: [name], wantsAttention: false });
const down = (name: string): Block => ({ lines: [name], wantsAttention: true });
const namesOn = (blocks: readonly Block[], budget: number, page: number) => {
	const made = pageOf(blocks, budget, 80, page);
	return [made.blocks.map((b) => b.lines[0]).join(""), made.indicator];
};

describe("which rows a page shows", () => {
	const six = ["a", "b", "c", "d", "e", "f"].map(up);

	test("all of them while they fit", () => {
		expect(namesOn(six, 6, 1)).toEqual(["abcdef", null]);
	});

	test("greedily, one line kept for the indicator, clamped to the last page", () => {
		expect(namesOn(six, 5, 1)).toEqual([
			"abcd",
			"+2 more UP — page 1/2 (n next, p prev)",
		]);
		expect(namesOn(six, 5, 9)).toEqual([
			"ef",
			"+4 more UP — page 2/2 (n next, p prev)",
		]);
	});

	test("who wants attention stands on every page", () => {
		const mixed = [up("a"), down("X"), up("b"), up("c"), up("d")];
		expect(namesOn(mixed, 4, 1)[0]).toBe("Xab");
		expect(namesOn(mixed, 4, 2)[0]).toBe("Xcd");
	});

	test("when they alone fill the screen everything turns, they first, and what is hidden is said", () => {
		const bad = [up("a"), down("X"), down("Y"), down("Z")];
		expect(namesOn(bad, 3, 1)).toEqual([
			"XY",
			"! 1 unhealthy + 1 healthy hidden — page 1/2 (n next, p prev)",
		]);
		expect(namesOn(bad, 3, 2)[0]).toBe("Za");
		expect(pageOf(bad, 3, 80, 1).isAlarming).toBe(true);
	});

	test("when they leave room for the indicator alone everything turns, too", () => {
		const mixed = [up("a"), down("X"), down("Y"), up("b")];
		expect(namesOn(mixed, 3, 1)[0]).toBe("XY");
		expect(namesOn(mixed, 3, 2)).toEqual([
			"ab",
			"! 2 unhealthy + 0 healthy hidden — page 2/2 (n next, p prev)",
		]);
	});

	test("an alarm is only what hides trouble", () => {
		for (const budget of [6, 4])
			expect(pageOf(six, budget, 80, 1).isAlarming).toBe(false);
	});

	test("every row is on some page, whatever the budget", () => {
		const some = fc.array(
			fc.record({
				lines: fc.array(fc.string({ maxLength: 200 }), {
					minLength: 1,
					maxLength: 3,
				}),
				wantsAttention: fc.boolean(),
			}),
		);
		fc.assert(
			fc.property(some, fc.integer({ min: -5, max: 40 }), (blocks, budget) => {
				const { pages } = pageOf(blocks, budget, 40, 1);
				const seen = new Set<Block>();
				for (let page = 1; page <= pages; page++)
					for (const b of pageOf(blocks, budget, 40, page).blocks) seen.add(b);
				return seen.size === new Set(blocks).size;
			}),
		);
	});
});
