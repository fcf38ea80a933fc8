/** The line that wakes a watcher, and when the program refuses (contract 09 §12.1). */
import { describe, expect, test } from "bun:test";
import { readRequest } from "../../resources/_roster-watch/args.ts";
import { type Wake, wakeDecision } from "../../resources/_roster-watch/wake.ts";

describe("the wake line, first hit", () => {
	const calm: Wake = {
		file: "F",
		at: "T",
		degraded: [],
		failed: [],
		failedBefore: null,
		archiveTrouble: [],
		checkFailed: false,
		checkLog: "L",
		filter: { kind: "ok", attention: 0 },
	};
	const HEAD = "roster capture ready: F (T)";
	const PLAIN_LINE = `${HEAD} — reconcile roster state and linked queue waits`;
	test.each([
		[
			{ archiveTrouble: ["source"], checkFailed: true },
			`${HEAD} — ARCHIVE-DEGRADED: source; inspect archive/health and archive-errors.log`,
		],
		[
			{ checkFailed: true, failedBefore: "a" },
			`${HEAD} - ROSTER-CHECK FAIL; inspect L`,
		],
		[
			{ failedBefore: "a", filter: { kind: "not-ok" } },
			`${HEAD} - roster incident cleared; inspect F`,
		],
		[{ filter: { kind: "not-ok" } }, PLAIN_LINE],
		[
			{ filter: { kind: "ok", attention: 2 }, failed: ["a"] },
			`${HEAD} — active permission prompt or blocking user choice (2 agent(s)); decisions archived`,
		],
		[{ failed: ["a"] }, PLAIN_LINE],
		[{ degraded: ["a"] }, PLAIN_LINE],
		[{}, "THRUM_ROSTER_JEV_ARCHIVE_ONLY_V1"],
		[{ filter: null, checkFailed: true, failedBefore: "a" }, PLAIN_LINE],
	] as const)("%j", (part, line) =>
		expect(wakeDecision({ ...calm, ...part }).at(-1)).toBe(line),
	);
});

test.each([
	[["--prune-roster-captures", "/x"], "/w/.thrum-watch", 0],
	[["--prune-roster-captures"], "/w/.thrum-watch", 2],
	[["--prune-roster-captures", "/x", "/y"], "/w/.thrum-watch", 2],
	[["--loop"], "/w/.thrum-watch", 2],
	[["--help"], "/w/.thrum-watch", 0],
	[[], "/srv/nexus/resources", 1],
	[[], "/p/skills/persistent-watcher-archetype/resources", 1],
	[[], "/w/.thrum-watch", null],
])("%j from %s ends with %p before the pass", (argv, dir, code) => {
	const request = readRequest(argv, dir);
	const ended: number | null =
		request.kind === "end" ? request.end.exitCode : null;
	expect(ended).toBe(code);
});
