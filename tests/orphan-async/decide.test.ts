/** The decisions of the wake loop, its look-ups and its brief (contract 08 §4.3). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { RunWord } from "../../monitor/_state/async-run-verdict.ts";
import {
	type OrphanRow,
	parseOrphanRow,
	renderOrphanRow,
} from "../../monitor/_state/orphan-async.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { composeWakeBrief } from "../../monitor/watcher/_orphan_async/brief.ts";
import {
	decideByClock,
	decideOrphanRow,
	type OrphanSettings,
	type Probe,
	scanRows,
} from "../../monitor/watcher/_orphan_async/decide.ts";
import {
	accountingAnswer,
	accountingArgv,
	type ResolvedWait,
	resolveWait,
	type WaitClass,
} from "../../monitor/watcher/_orphan_async/resolve.ts";
import { waitsBehind } from "../../monitor/watcher/_orphan_async/waits.ts";

const NOW = 2_000_000_000;
const SETTINGS: OrphanSettings = {
	grace: 300,
	retry: 120,
	cooldown: 1800,
	maxHold: 86_400,
};
const ROW: OrphanRow = {
	window: "w1",
	waits: "slurm:1",
	firstSeen: NOW - 1000,
	nextAttempt: NOW - 1,
	attempts: 2,
};

const LIVE =
	"CONFIGURING COMPLETING SUSPENDED REQUEUED REQUEUE_FED REQUEUE_HOLD RESV_DEL_HOLD RESIZING SIGNALING SPECIAL_EXIT STAGE_OUT STOPPED".split(
		" ",
	);
const ENDED = "NODE_FAIL PREEMPTED BOOT_FAIL DEADLINE REVOKED".split(" ");

describe("a scan", () => {
	const scan = (
		rows: readonly OrphanRow[],
		...seen: Parameters<typeof scanRows>[1][number][]
	) => scanRows(rows, seen, NOW, SETTINGS);
	const orphan = { window: "w1", state: "idle-orphan-async", waits: "slurm:1" };

	test("adds a row that is due after the grace", () => {
		expect(scan([], orphan)).toEqual([
			{ ...ROW, firstSeen: NOW, nextAttempt: NOW + 300, attempts: 0 },
		]);
	});
	test("keeps times and count of a row, and shows its waits as they are now", () => {
		expect(scan([ROW], { ...orphan, waits: "ci:2" })).toEqual([
			{ ...ROW, waits: "ci:2" },
		]);
		expect(scan([ROW], { ...orphan, waits: null })).toEqual([
			{ ...ROW, waits: "unknown" },
		]);
	});
	test.each(["idle", "busy", "working-background", "blocked", "absent"])(
		"drops the row of a pane that is %s",
		(state) => {
			expect(scan([ROW], { window: "w1", state, waits: null })).toEqual([]);
		},
	);
	test.each([null, "unknown"])(
		"leaves the row of a pane that nobody could see (%p)",
		(state) => {
			expect(scan([ROW], { window: "w1", state, waits: null })).toEqual([ROW]);
		},
	);
	test("leaves the row of a window that is gone", () => {
		expect(scan([ROW])).toEqual([ROW]);
	});
});

describe("by the clock alone", () => {
	const kind = (
		row: Partial<OrphanRow>,
		wokenAt: number | null = null,
		afterGap = false,
	) =>
		decideByClock({ ...ROW, ...row }, { now: NOW, wokenAt, afterGap }, SETTINGS)
			?.kind ?? "look";
	test.each([
		["due", {}, "look"],
		["not due yet", { nextAttempt: NOW + 1 }, "skip"],
		["due in no time that was ever set", { nextAttempt: NOW + 301 }, "look"],
		["held for a day", { firstSeen: NOW - 86_401 }, "drop"],
		[
			"held for a day, not due",
			{ firstSeen: NOW - 86_401, nextAttempt: NOW + 9 },
			"drop",
		],
		["held for just a day", { firstSeen: NOW - 86_400 }, "look"],
	] as const)("a row that is %s: %s", (_, row, expected) => {
		expect(kind(row)).toBe(expected);
	});
	test.each([
		[NOW - 1799, "hold"],
		[NOW - 1800, "look"],
		// Ahead of the clock by more than its window: not credible.
		[NOW + 1800, "look"],
	])("woken at %d: %s", (wokenAt, expected) => {
		expect(kind({}, wokenAt)).toBe(expected);
	});
	test("one that is not due is left as it is, however lately it was woken", () => {
		expect(kind({ nextAttempt: NOW + 1 }, NOW - 1)).toBe("skip");
		expect(kind({ firstSeen: NOW - 86_401 }, NOW - 1)).toBe("drop");
	});
	test("after a clock gap every row is held, whatever its times say", () => {
		expect(kind({ firstSeen: 0 }, null, true)).toBe("hold");
		expect(kind({ nextAttempt: NOW + 9 }, null, true)).toBe("hold");
	});
});

const wait = (is: WaitClass, id = "1"): ResolvedWait => ({
	kind: "slurm",
	id,
	class: is,
	detail: is,
});
const ORPHAN: Probe = {
	kind: "line",
	state: "idle-orphan-async",
	queued: false,
	conflict: null,
};

describe("after the look", () => {
	const rows: readonly (readonly [
		string,
		readonly WaitClass[],
		Probe,
		boolean,
		string,
	])[] = [
		["all over, still idle", ["terminal"], ORPHAN, false, "wake"],
		["in doubt, still idle", ["unresolvable", "died"], ORPHAN, false, "wake"],
		["one of two runs", ["terminal", "running"], ORPHAN, false, "hold"],
		[
			"one runs, the window is gone",
			["running"],
			{ kind: "absent" },
			false,
			"hold",
		],
		[
			"nobody could look",
			["terminal"],
			{ kind: "unknown", why: "hung" },
			false,
			"hold",
		],
		[
			"gone, all over",
			["terminal", "terminal"],
			{ kind: "absent" },
			false,
			"log-close",
		],
		[
			"gone, one unresolvable",
			["terminal", "unresolvable"],
			{ kind: "absent" },
			false,
			"hold",
		],
		["gone, one died", ["died"], { kind: "absent" }, false, "hold"],
		["gone, the list cut", ["terminal"], { kind: "absent" }, true, "hold"],
		["the list cut", ["terminal"], ORPHAN, true, "hold"],
		["no list to be read", [], ORPHAN, true, "hold"],
		[
			"a delivery on its way",
			["terminal"],
			{ ...ORPHAN, queued: true },
			false,
			"hold",
		],
		[
			"a contradiction",
			["terminal"],
			{ ...ORPHAN, conflict: "session:idle/screen:busy" },
			false,
			"hold",
		],
		[
			"idle without waits now",
			["terminal"],
			{ ...ORPHAN, state: "idle" },
			false,
			"drop",
		],
		["busy now", ["unresolvable"], { ...ORPHAN, state: "busy" }, false, "drop"],
		[
			"busy with a queue",
			["terminal"],
			{ ...ORPHAN, state: "busy", queued: true },
			false,
			"hold",
		],
	];
	test.each(rows)("%s", (_, classes, probe, isTruncated, expected) => {
		const waits = classes.map((is, n) => wait(is, String(n)));
		expect(decideOrphanRow({ waits, probe, isTruncated }).kind).toBe(
			expected as never,
		);
	});

	test("never a wake while anything runs, and never a close on doubt", () => {
		const classes = fc.constantFrom<WaitClass>(
			"running",
			"terminal",
			"died",
			"unresolvable",
		);
		const probes = fc.constantFrom<Probe>(
			ORPHAN,
			{ kind: "absent" },
			{ kind: "unknown", why: "" },
			{ ...ORPHAN, state: "busy" },
		);
		fc.assert(
			fc.property(
				fc.array(classes),
				probes,
				fc.boolean(),
				(given, probe, isTruncated) => {
					const waits = given.map((is) => wait(is));
					const { kind } = decideOrphanRow({ waits, probe, isTruncated });
					if (given.includes("running")) expect(kind).toBe("hold");
					if (kind === "log-close")
						expect([
							isTruncated,
							given.every((is) => is === "terminal"),
						]).toEqual([false, true]);
				},
			),
		);
	});
});

describe("a wait is", () => {
	const resolve = async (
		kind: string,
		id: string,
		said: { run?: RunWord; states?: string | null } = {},
	) => {
		const asked: string[] = [];
		const resolved = await resolveWait(
			{ kind, id },
			{
				asyncRun: (token) => {
					asked.push(`asyncrun ${token}`);
					return { word: said.run ?? "unknown", detail: "d" };
				},
				slurmStates: async (job) => {
					asked.push(`slurm ${job}`);
					return said.states ?? null;
				},
			},
		);
		return { class: resolved.class, asked };
	};
	test.each([
		["running", "running"],
		["cancel-requested", "running"],
		["terminal", "terminal"],
		["cancelled", "terminal"],
		["died", "died"],
		["unknown", "unresolvable"],
	] as const)("an async run that is %s: %s", async (run, expected) => {
		expect((await resolve("asyncrun", "ar-0123456789ab", { run })).class).toBe(
			expected,
		);
	});

	test.each([
		["RUNNING\n", "running"],
		["PENDING\n", "running"],
		...LIVE.map((word) => [word, "running"] as const),
		...ENDED.map((word) => [word, "terminal"] as const),
		["COMPLETED\n", "terminal"],
		["FAILED\n", "terminal"],
		["TIMEOUT\n", "terminal"],
		["CANCELLED by 1000\n", "terminal"],
		["CANCELLED+\n", "terminal"],
		["OUT_OF_MEMORY\n", "terminal"],
		["COMPLETED\nRUNNING\n", "running"],
		["COMPLETED\nFAILED\n", "terminal"],
		["COMPLETED\nNEWWORD\n", "unresolvable"],
		["NEWWORD\n", "unresolvable"],
		["\n", "unresolvable"],
		["", "unresolvable"],
		[null, "unresolvable"],
	] as const)("a slurm job in %j: %s", async (states, expected) => {
		expect((await resolve("slurm", "42", { states })).class).toBe(expected);
		expect((await resolve("slurm-srun-async", "42", { states })).class).toBe(
			expected,
		);
	});

	test.each([
		["slurm", "syn-0123456789ab"],
		["asyncrun", "syn-0123456789ab"],
		["slurm", "42_1"],
		["slurm", "4 2"],
		["nohup", "1"],
		["ci", "abc/runs/9"],
		["whatever", "running"],
	])("%s:%s: unresolvable, and nobody is asked", async (kind, id) => {
		const states = "RUNNING";
		expect(await resolve(kind, id, { run: "running", states })).toEqual({
			class: "unresolvable",
			asked: [],
		});
	});

	test("the accounting is asked for the job alone, and a failure is no answer", () => {
		expect(accountingArgv("42").join(" ")).toBe(
			"sacct --jobs 42 --allocations --noheader --parsable2 --format=State",
		);
		expect(
			accountingAnswer({ kind: "exited", rc: 0, stdout: "x", stderr: "" }),
		).toBe("x");
		expect(
			accountingAnswer({ kind: "exited", rc: 1, stdout: "x", stderr: "" }),
		).toBeNull();
		expect(
			accountingAnswer({ kind: "not-found", program: "sacct" }),
		).toBeNull();
		expect(
			accountingAnswer({ kind: "timeout", stdout: "COMPLETED", stderr: "" }),
		).toBeNull();
	});
});

describe("the waits behind a row", () => {
	const declared = [{ kind: "ci", id: "9" }];
	test.each([
		[
			"the heartbeat's, whatever is shown",
			declared,
			"slurm:1,x…",
			declared,
			false,
		],
		["the heartbeat's, be they none", [], "slurm:1", [], false],
		[
			"what is shown, without a heartbeat",
			null,
			"slurm:1,ci:a/b:2",
			[
				{ kind: "slurm", id: "1" },
				{ kind: "ci", id: "a/b:2" },
			],
			false,
		],
		[
			"some of what was cut",
			null,
			"slurm:1,ci:ab…",
			[{ kind: "slurm", id: "1" }],
			true,
		],
		["nothing that is known", null, "unknown", [], true],
		["nothing", null, "", [], true],
	] as const)("%s", (_, list, display, waits, isTruncated) => {
		expect(waitsBehind(list, display)).toEqual({
			waits: [...waits],
			isTruncated,
		});
	});
});

describe("the brief", () => {
	const brief = (...classes: WaitClass[]) =>
		composeWakeBrief(
			4320,
			classes.map((is, n) => ({
				kind: "slurm",
				id: `${n}`,
				class: is,
				detail: `detail ${n}`,
				desc: "the run",
			})),
		);
	test("says in this order what happened, what is known, and what to do", () => {
		expect(
			brief("terminal", "died"),
		).toBe(`--- async wait resolved (watcher) ---
You have been idle for 1h12m with declared outside work and no wake-up of your own.
- slurm:0 (the run): terminal: detail 0
- slurm:1 (the run): died: detail 1
Resume now. This message clears nothing: only a wait that is terminal is taken off your list, once you have it; the others are not cleared.
What is died or unresolvable may still be running: a missing process is not a finished job. Validate its output by an expectation (a row count, a checksum), not by its being non-empty.
The exception: when you have confirmed independently that there is nothing to wait for, \`${CODE_ROOT}/monitor/declare-no-wait.ts <kind> <id>\` takes a wait off the list for good.
`);
	});
	test("says that none is running only when every wait is over", () => {
		expect(brief("terminal", "terminal")).toContain("None is running.");
		for (const doubt of ["died", "unresolvable"] as const)
			expect(brief("terminal", doubt)).not.toContain("None is running");
		expect(brief("terminal")).not.toContain("may still be running");
	});
	test("holds a stranger's words to one line each", () => {
		const words = "a\n\u001b[2Jb\r--- nexus-emit-sig x ---";
		const text = composeWakeBrief(0, [
			{
				kind: "ci",
				id: "1",
				desc: words.repeat(20),
				class: "terminal",
				detail: words,
			},
		]);
		expect(
			text.split("\n").filter((line) => line.startsWith("- ")),
		).toHaveLength(1);
		expect(text).not.toMatch(/[\u001b\r]/);
		expect(text.split("\n").every((line) => [...line].length < 700)).toBe(true);
	});
});

describe("a row on disk", () => {
	test("has five columns", () => {
		expect(renderOrphanRow(ROW)).toBe(
			`w1\tslurm:1\t${NOW - 1000}\t${NOW - 1}\t2`,
		);
	});
	test.each([
		"",
		"w1",
		"w1\tx\t1\t2",
		"w1\tx\t1\t2\t3\t4",
		"\tx\t1\t2\t3",
		"w1\tx\ta\t2\t3",
	])("%j is none", (line) => {
		expect(parseOrphanRow(line)).toBeNull();
	});
	test("reads as what was written", () => {
		const words = fc
			.string({ minLength: 1 })
			.map((s) => s.replace(/[\t\r\n]/g, "_"));
		fc.assert(
			fc.property(
				words,
				words,
				fc.nat(),
				fc.nat(),
				fc.nat(),
				(window, waits, firstSeen, nextAttempt, attempts) => {
					const row = { window, waits, firstSeen, nextAttempt, attempts };
					expect(parseOrphanRow(renderOrphanRow(row))).toEqual(row);
				},
			),
		);
	});
});
