/** The probe in the report: rows that learn from delivery, the counts, the full snapshot, the gate of decisions. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { STATE } from "../emit/emit-rig.ts";
import { NO_TMUX } from "../fakes/tmux.ts";
import { classesIn, idleRig } from "./idle-rig.ts";

const FP = "f5a582351dfd";

/** A fleet of one idle worker whose row is staged, after the first cycle. */
async function withIdleWorker() {
	const rig = idleRig();
	await rig.seed();
	rig.worker("a");
	await rig.sweep();
	await rig.sweep(120);
	return rig;
}

describe("idle rows", () => {
	test("are carried once, in their section, and learned from that delivery", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		expect(rig.pasted[0]).toContain(
			"--- idle workers ---\n  - a idle 2m WITHOUT wrap-up — consider follow-up paste [since 08:00:00]\n(emitted on transitions only; see skills/nexus.window-cleanup)\n",
		);
		expect(rig.state("idle-state.tsv")).toBe("a\tno-wrap-up\n");
		expect(rig.staged("idle_section")).toBe("");
		expect(await rig.sweep(30)).toBe("");
		await rig.compose();
		expect(rig.pasted).toHaveLength(1);
	});

	test("of a worker that stops twice are told twice, though all else reads the same", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		rig.show("a", "busy");
		await rig.sweep(30);
		rig.show("a", "idle");
		await rig.sweep(30);
		await rig.sweep(120);
		await rig.compose();
		expect(rig.pasted).toHaveLength(2);
	});

	test("of a worker that stops twice while no watcher lives are told twice", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		rig.files.append(
			join(STATE, "machine-input.tsv"),
			`a\t${rig.clock.now()}\tpaste-followup\n`,
		);
		rig.files.seed(join(STATE, "user-prompt/a"), `${rig.clock.now()}\ts\n`);
		expect(classesIn(await rig.sweep(300))).toEqual(["a no-wrap-up"]);
		await rig.compose();
		expect(rig.pasted).toHaveLength(2);
		expect(await rig.sweep(30)).toBe("");
	});

	test.each([2, 3, 4, 6, 7] as const)(
		"are staged again after a paste that ended with %p",
		async (rc) => {
			const rig = await withIdleWorker();
			rig.ends.push(rc, rc);
			await rig.compose();
			expect(rig.state("idle-state.tsv")).toBeNull();
			expect(classesIn(await rig.sweep(30))).toEqual(["a no-wrap-up"]);
			rig.ends.length = 0;
			await rig.compose();
			expect(rig.pasted).toHaveLength(1);
		},
	);

	test("of a window that closed since are withheld, and not learned", async () => {
		const rig = await withIdleWorker();
		rig.worker("b");
		await rig.sweep();
		await rig.sweep(120);
		rig.close("a");
		await rig.compose();
		expect(rig.pasted[0]).toContain(
			"  - b idle 2m WITHOUT wrap-up — consider follow-up paste [since 08:02:00]\n  (withheld, window gone: a)\n",
		);
		expect(rig.state("idle-state.tsv")).toBe("b\tno-wrap-up\n");
	});

	test("are shown all the same where that is switched off", async () => {
		const rig = idleRig({ config: { MONITOR_IDLE_RESTAT_WINDOWS: false } });
		await rig.seed();
		rig.worker("a");
		await rig.sweep();
		await rig.sweep(120);
		rig.close("a");
		await rig.compose();
		expect(rig.pasted[0]).toContain("  - a idle 2m");
	});

	test("that are all gone are no reason to report", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		rig.worker("b");
		await rig.sweep();
		await rig.sweep(120);
		rig.close("b");
		await rig.compose();
		expect(rig.tried).toHaveLength(1);
	});

	test("of retained windows are one line, and learned as a set", async () => {
		const rig = idleRig();
		await rig.seed();
		for (const window of ["a", "b"]) rig.worker(window);
		await rig.sweep();
		rig.clock.stall(100_000);
		for (const window of ["a", "b"])
			rig.logged(["window-retain", 0, { window, reason: "waits (for c)" }]);
		await rig.sweep(20);
		await rig.compose();
		expect(rig.pasted[0]).toContain(
			"--- idle workers ---\n(2 retained windows suppressed: a (waits (for c)), b (waits (for c)))\n",
		);
		expect(await rig.sweep(30)).toBe("");
		rig.show("b", "busy");
		await rig.sweep(30);
		await rig.compose();
		expect(rig.pasted[1]).toContain("(1 retained windows suppressed: a (");
		expect(rig.state("idle-state.tsv")).toBe("a\tretained\n");
	});

	test("known before a restart are not told again by the next watcher", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		const next = idleRig({ after: rig.doors });
		await next.sweep(30);
		await next.rig.sweep();
		expect(next.pasted.join()).not.toContain("--- idle workers ---");
	});

	test("that were never told are told by the first report of the next watcher", async () => {
		const rig = await withIdleWorker();
		const next = idleRig({ after: rig.doors });
		await next.rig.sweep();
		expect(next.pasted[0]).toContain("(startup-sweep)");
		expect(next.pasted[0]).toContain("  - a idle 2m WITHOUT wrap-up");
		expect(next.state("idle-state.tsv")).toBe("a\tno-wrap-up\n");
	});
});

describe("the workspace line", () => {
	const line = (body: string | undefined) =>
		body?.split("\n").filter((l) => l.startsWith("workspace: ")) ?? [];

	test("counts the fleet as it is now", async () => {
		const rig = await withIdleWorker();
		rig.worker("b", "busy");
		rig.worker("c", "limit");
		await rig.compose();
		expect(line(rig.pasted[0])).toEqual([
			"workspace: 1 busy | 1 idle | 0 retained | 0 idle-too-long | 0 pane-absent | 1 over-limit | 0 orphan-async | 0 interrupted | 0 parked-skeptic | 0 idle-children | 0 awaiting-input",
		]);
		expect(rig.state("last-prelude.txt")).toContain("\t1 busy | 1 idle |");
	});

	test("is of an older report, and says so, when tmux cannot be asked", async () => {
		const rig = await withIdleWorker();
		await rig.compose();
		rig.decide("orchestrator", FP);
		await rig.decisions();
		rig.clock.stall(60_000);
		rig.tmux.fail("panes", NO_TMUX);
		await rig.compose();
		expect(line(rig.pasted[1])).toEqual([
			expect.stringContaining("workspace: 0 busy | 1 idle"),
			expect.stringContaining("workspace: ^ STALE (RENDER FAILED)"),
		]);
	});

	test("sets apart the windows that nobody could look at", async () => {
		const rig = await withIdleWorker();
		rig.tmux.fail("captureAll", NO_TMUX);
		await rig.compose();
		const [counts, note] = line(rig.pasted[0]);
		expect(counts).toStartWith("workspace: 0 busy | 0 idle");
		expect(counts).toEndWith("| 1 unprobed");
		expect(note).toStartWith("workspace: ^ UNPROBED");
	});

	test("counts who asked for something since the last report, each window once", async () => {
		const rig = await withIdleWorker();
		const notify = (window: string) =>
			rig.files.append(
				join(STATE, "worker-notifications.jsonl"),
				JSON.stringify({ window, ts: rig.clock.now() }),
			);
		for (const window of ["a", "a", "b"]) notify(window);
		await rig.compose();
		expect(line(rig.pasted[0])[0]).toEndWith("| 2 awaiting-input");
		rig.clock.stall(30_000);
		rig.decide("orchestrator", FP);
		await rig.decisions();
		await rig.compose();
		expect(line(rig.pasted[1])[0]).toEndWith("| 0 awaiting-input");
	});

	test("in a dry run counts, and remembers nothing", async () => {
		const rig = idleRig({ config: { MONITOR_PRELUDE_DRY_RUN: true } });
		await rig.seed();
		rig.worker("a");
		await rig.sweep();
		await rig.sweep(120);
		await rig.compose();
		expect(rig.pasted).toHaveLength(1);
		expect(rig.state("last-prelude.ts")).toBeNull();
	});

	test("has its journal rotated when that has grown too long", async () => {
		const rig = idleRig({
			config: { "monitor.notifications_log_max_bytes": 10 },
		});
		await rig.seed();
		rig.worker("a");
		await rig.sweep();
		await rig.sweep(120);
		const path = join(STATE, "worker-notifications.jsonl");
		rig.files.seed(path, '{"window":"a","ts":1}\n');
		rig.files.seed(`${path}.${rig.clock.now() - 8 * 86_400}`, "old\n");
		await rig.compose();
		expect(rig.files.paths(STATE).filter((p) => p.startsWith(path))).toEqual([
			`${path}.${rig.clock.now()}`,
		]);
	});
});

describe("the full snapshot", () => {
	test("is told when the workspace changed, and not again while it stays", async () => {
		const rig = await withIdleWorker();
		rig.worker("b", "busy");
		await rig.fullStateSnap();
		expect(rig.staged("full_state_snap")).toBe(
			"  - a idle 2m (state=idle)\n  - b (active, state=busy)\n",
		);
		await rig.compose();
		expect(rig.pasted[0]).toContain(
			"--- workspace snapshot ---\n  - a idle 2m (state=idle)\n  - b (active, state=busy)\n(full snapshot; transitions only between snapshots)\n",
		);
		await rig.sweep(620);
		await rig.fullStateSnap();
		await rig.compose();
		expect(rig.pasted).toHaveLength(1);
		rig.show("b", "idle");
		await rig.sweep(620);
		await rig.fullStateSnap();
		await rig.compose();
		expect(rig.pasted[1]).toContain("  - b idle 10m (state=idle)");
	});

	test.each([
		["rendered", false],
		["staged before", true],
	])(
		"that is %s is not told anew for a pane that one or two looks cannot read, but for one that stays so",
		async (_name, isStaged) => {
			const rig = await withIdleWorker();
			rig.worker("b", "busy");
			await rig.compose();
			await rig.sweep(620);
			if (isStaged) await rig.fullStateSnap();
			rig.tmux.fail("captureAll", NO_TMUX);
			for (const told of [1, 1, 2]) {
				rig.clock.stall(60_000);
				await rig.compose();
				expect(rig.pasted).toHaveLength(told);
			}
			expect(rig.pasted[1]).toContain("| 2 unprobed");
			expect(rig.state("full-state-partial-looks")).toBe("3\n");
		},
	);

	test("leaves what is staged alone when the fleet cannot be looked at", async () => {
		const rig = await withIdleWorker();
		await rig.fullStateSnap();
		const staged = rig.staged("full_state_snap");
		rig.clock.stall(60_000);
		rig.tmux.fail("panes", NO_TMUX);
		expect((await rig.fullStateSnap()).rc).toBe(1);
		expect(rig.staged("full_state_snap")).toBe(staged);
	});
});

describe("a decision about a window", () => {
	test.each([
		["busy", false],
		["typing", false],
		["permission", true],
		["idle", true],
		["empty", true],
	] as const)("whose pane is %s is shown: %p", async (screen, shown) => {
		const rig = idleRig();
		rig.worker("a", screen);
		rig.decide("a", FP);
		await rig.decisions();
		expect((rig.staged("pending_decisions") ?? "") !== "").toBe(shown);
	});

	test("that was withheld is shown at once when the pane comes free", async () => {
		const rig = idleRig();
		rig.worker("a", "busy");
		rig.decide("a", FP);
		await rig.decisions();
		rig.show("a", "permission");
		rig.clock.stall(10_000);
		await rig.decisions();
		expect(rig.staged("pending_decisions")).toContain(`fp=${FP}`);
	});

	test("is shown when nobody could look, and where the gate is off", async () => {
		const blind = idleRig();
		blind.worker("a", "busy");
		blind.decide("a", FP);
		blind.tmux.fail("captureAll", NO_TMUX);
		blind.proc.tableUnreadable = true;
		await blind.decisions();
		expect(blind.staged("pending_decisions")).toContain(`fp=${FP}`);

		const off = idleRig({ config: { MONITOR_PENDING_PANE_GATE: false } });
		off.worker("a", "busy");
		off.decide("a", FP);
		await off.decisions();
		expect(off.staged("pending_decisions")).toContain(`fp=${FP}`);
	});

	test("costs no look at the fleet while it is not due", async () => {
		const rig = idleRig();
		await rig.seed();
		rig.worker("a", "permission");
		rig.decide("a", FP);
		await rig.decisions();
		await rig.compose();
		rig.tmux.calls.length = 0;
		await rig.decisions();
		expect(rig.tmux.trace()).not.toContain("captureAll");
	});
});
