import { expect, test } from "bun:test";
import { merged, secondLook } from "../../monitor/_nexus/test/second-look.ts";

const job = {
	group: "unit",
	files: ["tests/a.test.ts", "tests/b.test.ts"],
	workers: 2,
	limitMs: 1000,
} as const;
const failed = {
	passed: 5,
	skipped: 0,
	failures: ["tests/b.test.ts: x", "tests/b.test.ts: y"],
};

test("only the files that failed run again, alone", () => {
	expect(secondLook(job, failed)).toEqual({
		...job,
		files: ["tests/b.test.ts"],
		workers: 1,
	});
	expect(secondLook(job, { ...failed, failures: [] })).toBeNull();
});

test("what failed twice has failed; what passed the second time is flaky, and named", () => {
	const again = { passed: 1, skipped: 0, failures: ["tests/b.test.ts: x"] };
	expect(merged(failed, again)).toEqual({
		tally: { passed: 6, skipped: 0, failures: ["tests/b.test.ts: x"] },
		flaky: ["tests/b.test.ts: y"],
	});
});
