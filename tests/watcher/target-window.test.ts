import { describe, expect, test } from "bun:test";
import {
	NOTHING_SEEN,
	type Presence,
	targetVerdict,
} from "../../monitor/watcher/_target_window/verdict.ts";

/** Verdicts of a row of looks; `gap` = absent, told `afterGap`. */
function looks(row: readonly (Presence | "gap")[]): string[] {
	let memory = NOTHING_SEEN;
	return row.map((look) => {
		const { next, verdict } = targetVerdict(
			memory,
			look === "gap" ? 2 : look,
			look === "gap",
			3,
		);
		memory = next;
		return verdict;
	});
}

describe("a missing target window", () => {
	const rows: [string, (Presence | "gap")[], string[]][] = [
		[
			"is believed at the fourth miss in a row, once",
			[2, 2, 2, 2, 2, 2],
			["missing", "missing", "missing", "absent", "quiet", "quiet"],
		],
		["is no news while it is there", [0, 0], ["quiet", "quiet"]],
		["is said to be back", [0, 2, 0, 0], ["quiet", "missing", "back", "quiet"]],
		[
			"starts a new episode only after it was seen again",
			[2, 2, 2, 2, 1, 2, 2, 2, 2, 0, 2],
			[
				"missing",
				"missing",
				"missing",
				"absent",
				"quiet",
				"quiet",
				"quiet",
				"quiet",
				"quiet",
				"back",
				"missing",
			],
		],
		[
			"is not concluded from a failed query, which starts the count anew",
			[2, 2, 2, 1, 2, 2, 2],
			[
				"missing",
				"missing",
				"missing",
				"quiet",
				"missing",
				"missing",
				"missing",
			],
		],
	];
	test.each(rows)("%s", (_name, row, expected) => {
		expect(looks(row)).toEqual(expected);
	});

	test("is counted from 1 again after a clock gap", () => {
		let memory = NOTHING_SEEN;
		for (const afterGap of [false, false, true, false])
			memory = targetVerdict(memory, 2, afterGap, 3).next;
		expect(memory.misses).toBe(1);
	});
});

test("a tmux that does not answer for half a minute is said once, and so is its return", () => {
	const verdicts = looks([...Array<Presence>(40).fill(1), 0]);
	expect(verdicts.filter((v) => v === "blind")).toHaveLength(1);
	expect(verdicts[14]).toBe("blind");
	expect(verdicts.at(-1)).toBe("back");
});
