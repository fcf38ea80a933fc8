import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { volatileStrip } from "../../monitor/_emit/dedup.ts";
import { withholdGone } from "../../monitor/_emit/restat.ts";
import { type Render, runBounded } from "../../monitor/_emit/run-bounded.ts";
import { workspaceLines } from "../../monitor/_emit/workspace-line.ts";
import { parseLastPrelude } from "../../monitor/_state/last-prelude.ts";
import { fakeClock } from "../fakes/clock.ts";
import { emitRig, STATE } from "./emit-rig.ts";

const COUNTS = "4 busy | 2 idle";
const LAST = { epoch: 1000, text: "3 busy | 0 idle" };

describe("the workspace line", () => {
	const rows: [
		string,
		Parameters<typeof workspaceLines>,
		string[],
		string | undefined,
	][] = [
		[
			"without a probe says so",
			[null, LAST, 1060],
			["workspace: UNAVAILABLE (NO IDLE PROBE)"],
			undefined,
		],
		[
			"complete",
			[{ rc: 0, out: `${COUNTS}\n` }, null, 1060],
			[`workspace: ${COUNTS}`],
			COUNTS,
		],
		[
			"cut off by the clock",
			[{ rc: 124, out: "4 busy" }, LAST, 1060],
			["workspace: 4 busy", "workspace: ^ PARTIAL (TIMED OUT) — "],
			undefined,
		],
		[
			"cut off by a failure",
			[{ rc: 1, out: "4 busy" }, LAST, 1060],
			["workspace: 4 busy", "workspace: ^ PARTIAL (RENDER FAILED) — "],
			undefined,
		],
		[
			"timed out, counts known",
			[{ rc: 124, out: "" }, LAST, 1060],
			[
				"workspace: 3 busy | 0 idle",
				"workspace: ^ STALE (TIMED OUT) — the previous complete counts, taken 60s ago",
			],
			undefined,
		],
		[
			"failed, counts known from the future",
			[{ rc: 2, out: "" }, LAST, 900],
			[
				"workspace: 3 busy | 0 idle",
				"workspace: ^ STALE (RENDER FAILED) — the previous complete counts, taken 0s ago",
			],
			undefined,
		],
		[
			"timed out, none known",
			[{ rc: 124, out: "" }, null, 1060],
			["workspace: UNAVAILABLE (TIMED OUT) — "],
			undefined,
		],
		[
			"an empty success is a failure",
			[{ rc: 0, out: "\n" }, null, 1060],
			["workspace: UNAVAILABLE (RENDER FAILED) — "],
			undefined,
		],
		[
			"with windows that nobody could probe",
			[{ rc: 0, out: "4 busy | 1 unprobed" }, null, 1060],
			["workspace: 4 busy | 1 unprobed", "workspace: ^ UNPROBED — "],
			"4 busy | 1 unprobed",
		],
		[
			"in several lines is one",
			[{ rc: 0, out: "4 busy\n--- requests ---" }, null, 1060],
			["workspace: 4 busy"],
			"4 busy",
		],
	];
	test.each(rows)("%s", (_name, args, starts, remember) => {
		const made = workspaceLines(...args);
		const lines = made.text.split("\n");
		expect(lines).toHaveLength(starts.length);
		for (const [i, start] of starts.entries())
			expect(lines[i]).toStartWith(start);
		expect(made.remember).toBe(remember);
	});

	test("apart from the age its notes are constant, so that the duplicate gate works", () => {
		const stale = (now: number) =>
			volatileStrip(workspaceLines({ rc: 124, out: "" }, LAST, now).text);
		expect(stale(1060)).toBe(stale(9999));
	});
});

test.each([
	["a good line", "1000\t4 busy | 2 idle\n", { epoch: 1000, text: COUNTS }],
	["a torn one", "1000\t4 bu", { epoch: 1000, text: "4 bu" }],
	["no counts", "1000\t\n", null],
	["no epoch", "4 busy\n", null],
	["binary", "\u0000\u0001", null],
])("remembered counts: %s", (_name, text, parsed) => {
	expect(parseLastPrelude(text)).toEqual(parsed);
});

describe("a bounded render", () => {
	const bounded = (render: Render, signal?: AbortSignal) => {
		const clock = fakeClock();
		return { clock, result: runBounded(clock, 1000, render, signal) };
	};

	test("that ends in time is complete", async () => {
		const { result, clock } = bounded(async (sink) => {
			sink("a\n");
			sink("b\n");
			return 0;
		});
		expect(await result).toEqual({ rc: 0, out: "a\nb\n" });
		expect(clock.waiting()).toBe(0);
	});

	test("that runs over keeps what it wrote, is told to stop, and can add nothing", async () => {
		let late = () => {};
		let told = false;
		const { clock, result } = bounded((sink, signal) => {
			sink("a\n");
			late = () => sink("late\n");
			signal.addEventListener("abort", () => {
				told = true;
			});
			return new Promise(() => {});
		});
		await clock.advance(1000);
		const got = await result;
		late();
		expect(got).toEqual({ rc: 124, out: "a\n" });
		expect(told).toBe(true);
	});

	test("that throws is a failure with what it wrote", async () => {
		const { result } = bounded(async (sink) => {
			sink("a\n");
			throw new Error("boom");
		});
		expect(await result).toEqual({ rc: 1, out: "a\n" });
	});

	test("ends when its run is aborted, also before it began", async () => {
		const abort = new AbortController();
		const { result } = bounded(() => new Promise(() => {}), abort.signal);
		abort.abort();
		expect((await result).rc).toBe(124);
		const again = bounded(() => new Promise(() => {}), abort.signal);
		expect((await again.result).rc).toBe(124);
	});
});

describe("rows of windows that are gone", () => {
	const rows =
		"  - a idle 5m\n      more of a\n  - my window busy\n  - b idle\n";
	const withheld = (live: string[] | null) =>
		withholdGone(rows, live === null ? null : new Set(live));

	test("are taken out with what belongs to them", () => {
		expect(withheld(["my window", "b"])).toBe(
			"  - my window busy\n  - b idle\n",
		);
		expect(withheld(["other"])).toBe("");
	});

	test("a name that merely starts alike is gone", () => {
		expect(withholdGone("  - ab idle\n", new Set(["a"]))).toBe("");
	});

	test("nothing is taken out when nobody could look", () => {
		expect(withheld(null)).toBe(rows);
		expect(withheld(["a", "my window", "b"])).toBe(rows);
	});
});

describe("with an idle probe", () => {
	const probed = (part: Parameters<typeof emitRig>[0] = {}) => {
		const state = { prelude: COUNTS, rows: "  - orchestrator busy\n", rc: 0 };
		const rig = emitRig({
			...part,
			further: {
				prelude: () => async (sink) => {
					sink(state.prelude);
					return state.rc;
				},
				fullState: () => async (sink) => {
					sink(state.rows);
					return 0;
				},
			},
		});
		return { rig, state };
	};

	test("complete counts are told and remembered, an incomplete render falls back on them", async () => {
		const { rig, state } = probed();
		await rig.sweep();
		expect(rig.pasted[0]).toContain(`\nworkspace: ${COUNTS}\n`);
		expect(rig.state("last-prelude.txt")).toBe(
			`${rig.clock.now()}\t${COUNTS}\n`,
		);
		Object.assign(state, { prelude: "", rc: 1 });
		rig.decide("orchestrator", "f5a582351dfd");
		await rig.seed();
		rig.clock.stall(60_000);
		await rig.cycle();
		expect(rig.pasted[1]).toContain("workspace: ^ STALE (RENDER FAILED)");
	});

	test("the sweep seeds the full-state memory; an unchanged workspace is silent until the floor, then reported", async () => {
		const { rig } = probed();
		await rig.sweep();
		expect(rig.pasted[0]).toContain(
			"--- workspace snapshot ---\n  - orchestrator busy\n",
		);
		await rig.seed();
		rig.clock.stall(600_000);
		await rig.cycle();
		expect(rig.tried).toHaveLength(1);
		expect(rig.log.messages().join()).toContain("full-state suppressed");
		rig.clock.stall(600_000);
		await rig.cycle();
		expect(rig.pasted[1]).toContain("(poll-full-state)");
		expect(rig.archives().at(-1)).toEndWith("_full-state.md");
	});

	test("a changed workspace is reported at the next interval, a failed report leaves the memory", async () => {
		const { rig, state } = probed();
		await rig.sweep();
		await rig.seed();
		const before = rig.state("last-full-state-canonical.txt");
		state.rows = "  - orchestrator idle 5m\n";
		rig.clock.stall(600_000);
		rig.ends.push(7);
		await rig.cycle();
		expect(rig.state("last-full-state-canonical.txt")).toBe(before);
		await rig.cycle();
		expect(rig.pasted[1]).toContain("orchestrator idle 5m");
		expect(rig.state("last-full-state-canonical.txt")).toContain(
			"orchestrator idle\n",
		);
	});

	test("any delivered report restarts the interval", async () => {
		const { rig } = probed();
		await rig.sweep();
		await rig.seed();
		rig.clock.stall(590_000);
		rig.decide("orchestrator", "f5a582351dfd");
		await rig.cycle();
		expect(rig.state("last-full-state-emit.ts")).toBe(`${rig.clock.now()}\n`);
	});

	test("rows of closed windows are not part of it", async () => {
		const { rig, state } = probed();
		state.rows = "  - closed busy\n  - orchestrator busy\n";
		await rig.sweep();
		expect(rig.pasted[0]).not.toContain("closed");
	});

	test.each([
		["zero bytes", ""],
		["binary", "\u0000\u0001x"],
	])("stamps of %s are set aside and count as missing", async (_name, text) => {
		const { rig } = probed();
		await rig.sweep();
		await rig.seed();
		for (const name of ["last-full-state-emit.ts", "last-full-state-change.ts"])
			rig.files.seed(join(STATE, name), text);
		rig.clock.stall(1000_000);
		await rig.cycle();
		expect(rig.pasted).toHaveLength(2);
		expect(rig.files.paths(STATE).join()).toContain(
			"last-full-state-emit.ts.damaged.",
		);
	});
});
