/** The night in order, so that a loss can be found. */
import { expect, test } from "bun:test";
import { emptyLedger } from "../../bench/soak/ledger.ts";
import { timeline } from "../../bench/soak/timeline.ts";

const T = 1_000_000_000;

test("what was done and what was told stand in the order of time; of a report, what the account asks for", () => {
	const ledger = {
		...emptyLedger(),
		asked: [
			{ id: 7, issue: 1, at: T, fate: "refusal" as const, window: "w1" },
			{ id: 8, issue: 1, at: T + 9000, fate: "answer" as const, window: null },
		],
		kills: [{ what: "watcher" as const, at: T + 4000, backAt: T + 6500 }],
		refusals: [{ window: "w1", at: T + 3000, id: 7 }],
		drafts: [{ text: "draft number 1", end: "kept" as const }],
	};
	const report = [
		"=== nexus state changed",
		"  - w1 interrupted (idle 0m)",
		"-w1 bell=0",
		"+w1_7.md",
		"issue=1 id=7 author=op",
		"workspace: 1 busy",
	].join("\n");
	expect(timeline(ledger, [{ at: T + 7000, text: report }])).toEqual([
		"    0.0 asked 7: refusal of w1",
		"    3.0 refused w1",
		"    4.0 killed watcher ",
		"    6.5 back: watcher ",
		"    7.0 told:\n            - w1 interrupted (idle 0m)\n          -w1 bell=0\n          +w1_7.md\n          issue=1 id=7 author=op",
		"    9.0 asked 8: answer of the orchestrator",
		"        draft number 1: kept",
	]);
});
