import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	bypassesDedup,
	isDuplicate,
	pushRing,
	stableHash,
	volatileStrip,
} from "../../monitor/_emit/dedup.ts";
import { OLD_PUT_ADVISORY } from "../../monitor/_emit/footer.ts";
import type { RingEntry } from "../../monitor/_state/emit-ring.ts";
import { EXAMPLE } from "./worked-example.ts";

describe("what the volatile strip takes out", () => {
	const rows: [string, string][] = [
		[
			"=== nexus state changed at 2026-05-11T13:42:01-07:00 (poll) ===",
			"=== state (poll) ===",
		],
		["  - a idle 8m WITHOUT wrap-up", "  - a idle WITHOUT wrap-up"],
		["  - b interrupted 1h02m", "  - b interrupted"],
		["  - c idle-too-long 25h00m; x", "  - c idle-too-long; x"],
		["  - d operator away 90s (src=x)", "  - d operator away (src=x)"],
		["  - e idle 8minutes", "  - e idle 8minutes"],
		["3 awaiting-input", "awaiting-input"],
		[
			"workspace: ^ STALE (TIMED OUT) — x, taken 74s ago",
			"workspace: ^ STALE (TIMED OUT) — x, taken ago",
		],
		["  body: [quote 0a1b2c] x [/quote 0a1b2c]", "  body: [quote] x [/quote]"],
		[
			"workspace: 4 busy | 2 idle | 1 idle-too-long | 0 retained",
			"workspace: 4 busy | 3 idle-incl-too-long | idle-too-long | 0 retained",
		],
		["workspace: 4 busy | 2 idle", "workspace: 4 busy | 2 idle"],
		["  - 2 idle | 1 idle-too-long", "  - 2 idle | 1 idle-too-long"],
		["a line that stays", "a line that stays"],
	];
	test.each(rows)("%s", (line, stripped) => {
		expect(volatileStrip(line)).toBe(stripped);
	});

	test.each([
		"last put: 2026-05-11T11:10:00-07:00 (local stamp)",
		"last updated: x",
		"--- nexus-emit-sig 2026-05-11T13:42:01-07:00 a1b2c3 ---",
		...OLD_PUT_ADVISORY,
	])("the whole line: %s", (line) => {
		expect(volatileStrip(`a\n${line}\nb`)).toBe("a\nb");
	});
});

const token = fc.constantFrom(
	"idle",
	"idle-too-long",
	"away",
	"interrupted",
	"5m",
	"1h02m",
	"30s",
	"3",
	"awaiting-input",
	"taken",
	"ago",
	"|",
	"workspace:",
	"busy",
	"[quote",
	"[/quote",
	"0a1b2c]",
	"last",
	"put:",
	"---",
	"(poll)",
	"===",
);
const line = fc.array(token, { maxLength: 12 }).map((words) => words.join(" "));

test("stripping what is stripped changes nothing", () => {
	fc.assert(
		fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
			const once = volatileStrip(lines.join("\n"));
			expect(volatileStrip(once)).toBe(once);
		}),
		{ numRuns: 500 },
	);
});

describe("is it the same report again", () => {
	const later = EXAMPLE.replaceAll(
		"2026-05-11T13:42:01-07:00",
		"2026-05-11T14:00:00-07:00",
	)
		.replace("a1b2c3", "ffffff")
		.replace("idle 1h12m", "idle 1h30m")
		.replace(
			"last put: 2026-05-11T11:10:00-07:00",
			"last put: 2026-05-11T13:59:00-07:00",
		)
		.replace(`${OLD_PUT_ADVISORY.join("\n")}\n`, "")
		.replace(
			"2 idle | 0 retained | 1 idle-too-long",
			"1 idle | 0 retained | 2 idle-too-long",
		);

	test("new times, nonce, ages and a worker that merely waited on are the same", () => {
		expect(later).not.toBe(EXAMPLE);
		expect(stableHash(later)).toBe(stableHash(EXAMPLE));
	});

	test.each([
		["pane-absent 1 → 0", "0 pane-absent", "1 pane-absent"],
		["another fingerprint", "worker-3 (idx 4)", "worker-3 (idx 5)"],
		["another reason", "(poll)", "(poll-resurface)"],
	])("%s is another one", (_name, from, to) => {
		expect(stableHash(EXAMPLE.replace(from, to))).not.toBe(stableHash(EXAMPLE));
	});

	const quiet = 86_400;
	const at = (epoch: number, hash = "h"): RingEntry => ({ epoch, hash });
	test.each([
		["just delivered", [at(1000)], 1000, quiet, true],
		["at the end of the quiet", [at(1000)], 1000 + 86_399, quiet, true],
		["as old as the quiet", [at(1000)], 1000 + 86_400, quiet, false],
		["after the quiet", [at(1000)], 1000 + 86_401, quiet, false],
		["another body", [at(1000, "other")], 1000, quiet, false],
		["never", [], 1000, quiet, false],
		["with the gate off", [at(1000)], 1000, 0, false],
		["a stamp that a stepped clock left ahead", [at(1500)], 1000, quiet, true],
		[
			"a stamp too far ahead to believe",
			[at(1000 + 2 * quiet)],
			1000,
			quiet,
			false,
		],
	] as const)("%s", (_name, ring, now, quietSeconds, expected) => {
		expect(isDuplicate(ring, "h", now, quietSeconds)).toBe(expected);
	});

	test("two alternating bodies are both remembered, with a ring of one they are not", () => {
		const deliver = (size: number) => {
			let ring: readonly RingEntry[] = [];
			return ["A", "B", "A", "B"].map((hash, i) => {
				const repeat = isDuplicate(ring, hash, i, quiet);
				if (!repeat) ring = pushRing(ring, hash, i, size);
				return repeat;
			});
		};
		expect(deliver(8)).toEqual([false, false, true, true]);
		expect(deliver(1)).toEqual([false, false, false, false]);
	});

	test("the ring keeps the newest of each body, newest last", () => {
		let ring: readonly RingEntry[] = [];
		for (const [i, hash] of ["A", "B", "A", "C"].entries())
			ring = pushRing(ring, hash, i, 2);
		expect(ring).toEqual([at(2, "A"), at(3, "C")]);
	});
});

describe("what goes past the duplicate gate", () => {
	const body = (title: string, ...lines: string[]) =>
		[
			`--- ${title} ---`,
			...lines,
			"--- dashboard ---",
			"last put: unknown",
			"",
		].join("\n");
	test.each([
		[
			"a comment",
			body(
				"eligible github comments",
				"issue=42 id=4567890 author=op",
				"  body: hi",
			),
			true,
		],
		[
			"an alert of ours",
			body(
				"eligible github comments",
				"watcher_alert=rate surface=id",
				"  body: id=5",
			),
			false,
		],
		[
			"a request",
			body(
				"requests",
				"request=20260511T0-a-b origin=a kind=q priority=normal",
			),
			true,
		],
		[
			"a request line elsewhere",
			body("pending decisions", "request=x origin=a"),
			false,
		],
		[
			"a decision",
			body(
				"pending decisions",
				"window=w fp=f5a582351dfd kind=x unresolved=false",
			),
			false,
		],
		["awaiting input", "workspace: 3 awaiting-input\n", false],
	])("%s", (_name, text, expected) => {
		expect(bypassesDedup(text)).toBe(expected);
	});
});
