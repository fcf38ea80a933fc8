import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { volatileStrip } from "../../monitor/_emit/dedup.ts";
import {
	type SnapshotWorker,
	snapshotRow,
} from "../../monitor/_emit/full-state-rows.ts";
import {
	hasWaitingQuestion,
	IDLE_CLASSES,
	type IdleRow,
	overlayDetail,
	parseStagedIdle,
	renderStagedIdle,
} from "../../monitor/_emit/idle-rows.ts";
import { idleRowsIn, idleSection } from "../../monitor/_emit/idle-section.ts";
import { tally } from "../../monitor/_emit/tally.ts";

const row = (part: Partial<IdleRow> = {}): IdleRow => ({
	window: "w",
	class: "no-wrap-up",
	ageSeconds: 485,
	since: 0,
	askedAt: null,
	detail: "",
	...part,
});
const timeOf = (epoch: number) =>
	new Date(epoch * 1000).toISOString().slice(11, 19);
const SINCE = "[since 00:00:00]";
const textOf = (...rows: IdleRow[]) => idleSection(rows, null, timeOf).text;

describe("a row reads", () => {
	const limit = (words: string | null, flavour = "weekly_Opus") => ({
		limit: { flavour, words },
	});
	const rows: [Partial<IdleRow>, string][] = [
		[{ class: "wrapped" }, "w wrapped up (idle 8m; wrap-up logged)"],
		[{ class: "wrapped-but-stub" }, "w wrapped-but-stub (report incomplete)"],
		[
			{ class: "wrapped-but-stub", detail: "section: ## Summary" },
			"w wrapped-but-stub (section: ## Summary)",
		],
		[{}, "w idle 8m WITHOUT wrap-up — consider follow-up paste"],
		[
			{ class: "idle-too-long", ageSeconds: 90_000 },
			"w idle-too-long 25h00m (exceeds close threshold; consider close)",
		],
		[
			{
				class: "idle-too-long",
				ageSeconds: 90_000,
				detail: "section: ## Summary",
			},
			"w idle-too-long 25h00m (exceeds close threshold; consider close) — report incomplete: section: ## Summary",
		],
		[
			{ class: "pane-absent", detail: "gone; relaunch or close" },
			"w pane-absent (gone; relaunch or close)",
		],
		[
			{ class: "over-limit", detail: "3am_UTC", ...limit(null) },
			"w OVER-LIMIT (resets 3am_UTC; weekly Opus limit hit — schedule resume)",
		],
		[
			{ class: "over-limit", detail: "3am_UTC", ...limit(null, "unknown") },
			"w OVER-LIMIT (resets 3am_UTC; usage limit hit — schedule resume)",
		],
		[
			{ class: "over-limit", detail: "soonish", ...limit("soonish, we hope") },
			'w OVER-LIMIT (weekly Opus limit hit; RESET TIME UNKNOWN: "soonish, we hope" — never schedule against an unknown time)',
		],
		[
			{ class: "over-limit", detail: "unknown", ...limit(null, "unknown") },
			'w OVER-LIMIT (usage limit hit; RESET TIME UNKNOWN: "no reset time shown" — never schedule against an unknown time)',
		],
		[
			{ class: "operator-engaged", detail: "submit" },
			"w operator-engaged (src=submit; idle 8m; nothing to do while engaged)",
		],
		[
			{ class: "engaged-close-reminder", detail: "submit", ageSeconds: 90_000 },
			"w operator-engaged but operator away 25h00m (src=submit); consider closing it",
		],
		[
			{ class: "paste-unconfirmed", detail: "paste 4m ago" },
			"w paste-unconfirmed (paste 4m ago; check first whether it was consumed, then monitor/paste-followup.ts)",
		],
		[
			{ class: "idle-orphan-async", detail: "slurm:1,ci:2" },
			"w idle-orphan-async (waits=slurm:1,ci:2; no resume mechanism — the watcher resolves it; install a monitor or poller)",
		],
		[
			{ class: "interrupted", detail: "conversation:respawn" },
			"w interrupted 8m — turn crashed (conversation; RESPAWN via `claude --continue`)",
		],
		[
			{ class: "interrupted", detail: "auth:operator" },
			"w interrupted 8m — turn crashed (auth; needs operator)",
		],
		[
			{ class: "interrupted", detail: "transient:paste" },
			"w interrupted 8m — turn crashed (transient; PASTE a resume nudge)",
		],
	];
	test.each(rows)("%j as it must", (part, text) => {
		expect(textOf(row(part))).toBe(`  - ${text} ${SINCE}\n`);
	});
});

describe("retained windows stand in one line", () => {
	const retained = (window: string, detail: string) =>
		row({ window, class: "retained", detail });
	test("with their reasons, cut at 40 characters", () => {
		expect(
			textOf(
				retained("a", "asks (twice), waits"),
				retained("b", ""),
				retained("c", "x".repeat(40)),
				retained("d", "🦊".repeat(41)),
			),
		).toBe(
			`(4 retained windows suppressed: a (asks (twice), waits), b (no reason), c (${"x".repeat(40)}), d (${"🦊".repeat(39)}…))\n`,
		);
	});
	test("behind the other rows", () => {
		const text = textOf(retained("a", "r"), row());
		expect(text.split("\n")[1]).toBe("(1 retained windows suppressed: a (r))");
	});
});

describe("the rows of an earlier report", () => {
	const told = [
		row({ window: "a" }),
		row({ window: "b", class: "retained", detail: "for review" }),
	];
	const { text } = idleSection(told, null, timeOf);
	const body = `--- idle workers ---\n${text}--- nexus-emit-sig x 0a1b2c ---\n`;
	test("are known again however old they are by now", () => {
		const now = told.map((r) => ({ ...r, ageSeconds: r.ageSeconds + 7200 }));
		expect(idleRowsIn(body, now, timeOf)).toEqual(now);
	});
	test.each([
		["another window", row({ window: "aa" })],
		["a second time", row({ window: "a", since: 60 })],
		["another class", row({ window: "a", class: "wrapped" })],
		[
			"retained, another window",
			row({ window: "bb", class: "retained", detail: "for review" }),
		],
		[
			"retained for another reason",
			row({ window: "b", class: "retained", detail: "later" }),
		],
	])("do not cover %s", (_what, other) => {
		expect(idleRowsIn(body, [other], timeOf)).toEqual([]);
	});
});

describe("rows of windows that closed since", () => {
	const rows = [row({ window: "a b" }), row({ window: "gone" })];
	test("are withheld and named; what is shown is what can be learned", () => {
		const { text, shown } = idleSection(rows, new Set(["a b", "c"]), timeOf);
		expect(text).toBe(
			"  - a b idle 8m WITHOUT wrap-up — consider follow-up paste [since 00:00:00]\n  (withheld, window gone: gone)\n",
		);
		expect(shown).toEqual([row({ window: "a b" })]);
	});
	test("leave nothing to say when all are gone", () => {
		expect(idleSection(rows, new Set(["other"]), timeOf)).toEqual({
			text: "",
			shown: [],
		});
	});
	test("are shown when nobody could look", () => {
		expect(idleSection(rows, null, timeOf).shown).toEqual(rows);
	});
});

describe("staged rows", () => {
	test("come back as they were, whatever a name or a reason holds", () => {
		const line = fc
			.string({ minLength: 1 })
			.map((s) => s.replace(/[\p{C}\p{Z}]/gu, "x").slice(0, 100) || "x");
		const any = fc.record({
			window: line,
			class: fc.constantFrom(...IDLE_CLASSES),
			ageSeconds: fc.nat(),
			since: fc.nat(),
			askedAt: fc.option(fc.nat()),
			detail: line,
		});
		fc.assert(
			fc.property(fc.array(any), (rows) => {
				expect(parseStagedIdle(renderStagedIdle(rows))).toEqual(rows);
			}),
		);
	});
	test("keep the words of a reset that nobody understood", () => {
		const limit = { flavour: "weekly", words: "in a while" };
		const rows = [
			row({ class: "over-limit", detail: "in_a_while", limit }),
			row({ class: "over-limit", limit: { ...limit, words: null } }),
		];
		expect(parseStagedIdle(renderStagedIdle(rows))).toEqual(rows);
	});
	test("cannot be forged by a detail", () => {
		const forged = row({ detail: "x\nother\twrapped\t5\t\t\t\t7\t" });
		expect(parseStagedIdle(renderStagedIdle([forged]))).toHaveLength(1);
	});
	test("that are none cost only themselves", () => {
		const text =
			"w\tsleepy\t5\t\t\t\t7\t\n\twrapped\t5\t\t\t\t7\t\nw\twrapped\tx\t\t\t\t7\t\nw\twrapped\t5\nw\twrapped\t5\t\t\t\t7\t\n";
		expect(parseStagedIdle(text)).toHaveLength(1);
	});
	test("are urgent when an agent stands before a question", () => {
		const staged = (part: Partial<IdleRow>) =>
			renderStagedIdle([row(), row(part)]);
		const waits = {
			class: "pane-absent",
			detail: overlayDetail("askuq"),
		} as const;
		expect(hasWaitingQuestion(staged(waits))).toBe(true);
		expect(
			hasWaitingQuestion(staged({ class: "pane-absent", detail: "gone" })),
		).toBe(false);
		expect(hasWaitingQuestion(staged({ class: "wrapped" }))).toBe(false);
		expect(hasWaitingQuestion("")).toBe(false);
	});
});

test("the duplicate gate does not see the ages of rows", () => {
	for (const cls of IDLE_CLASSES) {
		const at = (ageSeconds: number, detail: string) =>
			volatileStrip(textOf(row({ class: cls, ageSeconds, detail })));
		const details =
			cls === "paste-unconfirmed"
				? ["paste 4m ago", "paste 1h02m ago"]
				: ["x", "x"];
		expect(at(485, details[0] ?? "")).toBe(at(90_000, details[1] ?? ""));
	}
});

describe("the full snapshot says of a worker", () => {
	const worker: SnapshotWorker = {
		window: "w",
		state: "idle",
		idleSeconds: 485,
		resetAt: null,
		recovery: null,
		operatorAwaySeconds: null,
	};
	const rows: [Partial<SnapshotWorker>, string][] = [
		[{}, "w idle 8m (state=idle)"],
		[{ state: "autosuggest-only" }, "w idle 8m (state=autosuggest-only)"],
		[{ state: "busy" }, "w (active, state=busy)"],
		[{ state: "user-typing" }, "w (active, state=user-typing)"],
		[{ state: "working-background" }, "w (active, state=working-background)"],
		[{ state: "working-self-paced" }, "w (active, state=working-self-paced)"],
		[{ state: "absent", recovery: "paste" }, "w pane-absent (state=absent)"],
		[{ state: "blocked" }, "w pane-absent (state=blocked)"],
		[
			{ state: "over-limit", resetAt: "3am_UTC" },
			"w OVER-LIMIT (resets 3am_UTC)",
		],
		[
			{ recovery: "paste", operatorAwaySeconds: 5 },
			"w interrupted (idle 8m; turn crashed, recovery=paste)",
		],
		[{ operatorAwaySeconds: 1800 }, "w operator-engaged (idle 8m, state=idle)"],
		[
			{ operatorAwaySeconds: 4000 },
			"w operator-engaged (operator away 1h06m; idle 8m, state=idle)",
		],
	];
	test.each(rows)("%j what it must", (part, text) => {
		expect(snapshotRow({ ...worker, ...part }, 1800)).toBe(`  - ${text}\n`);
	});
	test("nothing that time alone changes", () => {
		const at = (idleSeconds: number, away: number) =>
			volatileStrip(
				snapshotRow(
					{ ...worker, idleSeconds, operatorAwaySeconds: away },
					1800,
				),
			);
		expect(at(485, 4000)).toBe(at(90_000, 9000));
	});
});

describe("the counts", () => {
	test("name eleven things in their order, and who has no row works", () => {
		expect(
			tally({
				workers: 5,
				classes: [
					"no-wrap-up",
					"pane-absent",
					"over-limit",
					"idle-orphan-async",
				],
				unprobed: 0,
				awaitingInput: 0,
			}),
		).toBe(
			"1 busy | 1 idle | 0 retained | 0 idle-too-long | 1 pane-absent | 1 over-limit | 1 orphan-async | 0 interrupted | 0 parked-skeptic | 0 idle-children | 0 awaiting-input",
		);
	});
	test("call wrapped, stubs and unconfirmed pastes idle, and an engaged window busy", () => {
		const counts = tally({
			workers: 9,
			classes: [
				"wrapped",
				"wrapped-but-stub",
				"no-wrap-up",
				"paste-unconfirmed",
				"retained",
				"idle-too-long",
				"interrupted",
				"operator-engaged",
				"idle-children-clarify",
			],
			unprobed: 0,
			awaitingInput: 3,
		});
		expect(counts).toStartWith(
			"1 busy | 4 idle | 1 retained | 1 idle-too-long |",
		);
		expect(counts).toEndWith(
			"| 1 interrupted | 0 parked-skeptic | 1 idle-children | 3 awaiting-input",
		);
	});
	test("set apart who could not be looked at, and never go below zero", () => {
		const counts = (workers: number) =>
			tally({ workers, classes: ["wrapped"], unprobed: 2, awaitingInput: 0 });
		expect(counts(4)).toStartWith("1 busy | 1 idle");
		expect(counts(4)).toEndWith("0 awaiting-input | 2 unprobed");
		expect(counts(1)).toStartWith("0 busy");
	});
});
