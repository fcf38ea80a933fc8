/** The table of `bench/all.ts`. */
import { expect, test } from "bun:test";
import { tableOf } from "../../bench/table.ts";

test("a figure above its limit is marked, one without a limit is not judged", () => {
	const table = tableOf([
		{ name: "sweep", value: 80, unit: "ms", limit: 80, ratio: 20.04 },
		{ name: "starts", value: 91.5, unit: "starts/min", limit: 90, ratio: null },
		{ name: "lost", value: 0, unit: "missed", limit: 0, ratio: null },
		{ name: "each", value: 0.00123, unit: "CPU s/min", ratio: 0.5 },
	]);
	expect(table.split("\n").slice(1)).toEqual([
		"sweep            80.0 ms     80        20.0  ok",
		"starts   91.5 starts/min     90              MISS",
		"lost            0 missed      0              ok",
		"each    0.0012 CPU s/min              0.500",
	]);
});
