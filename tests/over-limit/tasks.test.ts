import { describe, expect, test } from "bun:test";
import type { ConfigKey, ConfigValue } from "../../config/schema.ts";
import {
	emitHold,
	expediteAll,
	limitSettings,
	overLimitScanTask,
	overLimitWakesTask,
} from "../../monitor/watcher/_over_limit.ts";
import type { TaskFn, TaskSpec } from "../../monitor/watcher/context.ts";
import { paneHands } from "../../monitor/watcher/emit-wiring.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { type FakeClaude, fakeClaude } from "../unstick/fake-claude.ts";
import {
	STATE,
	watcherConfig,
	watcherContext,
} from "../watcher/watcher-rig.ts";

/** 2026-07-28T18:00:00Z */
const N = 1_785_261_600;
const MIDNIGHT = 1_785_283_200;
const ROWS = `${STATE}/over-limit-state.tsv`;
const OBSERVED = `${STATE}/over-limit-observed.tsv`;

function limitRig(config: { readonly [K in ConfigKey]?: ConfigValue<K> } = {}) {
	const doors = fakeDoors({ auto: true, now: N });
	doors.files.seedDir(STATE);
	const ctx = watcherContext(doors, {
		config: { ...watcherConfig(), ...config },
	});
	const hands = paneHands(doors);
	const fns = new Map<string, TaskFn>();
	const run = async (task: TaskSpec, { signal } = new AbortController()) => {
		const fn = fns.get(task.name) ?? task.make(ctx);
		fns.set(task.name, fn);
		const log = (line: string) => doors.log.info(line);
		return (await fn({ signal, afterGap: false, log, doors })).rc;
	};
	const wakesTask = overLimitWakesTask(hands);
	const text = (path: string) =>
		doors.files.has(path) ? doors.files.text(path) : "";
	return {
		doors,
		ctx,
		scan: () => run(overLimitScanTask),
		wakes: (ending?: AbortController) => run(wakesTask, ending),
		hold: emitHold(doors, STATE, limitSettings(ctx.config)),
		rows: () =>
			text(ROWS)
				.split("\n")
				.filter((r) => r !== "")
				.map((r) => r.split("\t")),
		text,
		until: (at: number) => doors.clock.sleep((at - doors.clock.now()) * 1000),
		ledger: () => text(`${STATE}/machine-input.tsv`),
	};
}

type LimitRig = ReturnType<typeof limitRig>;

/** As the hook of a turn that ended at the limit leaves it. */
function stamp(
	rig: LimitRig,
	claude: FakeClaude,
	resetAt: string | null,
): void {
	const record = {
		ts: rig.doors.clock.now(),
		session_id: claude.sessionId,
		error_type: "rate_limit",
		error_message: `You've hit your limit · resets ${resetAt ?? ""}`,
		reset_at: resetAt,
	};
	rig.doors.files.seed(
		`${STATE}/over-limit/${claude.window.name}.json`,
		JSON.stringify(record),
	);
}

function unstamp(rig: LimitRig, claude: FakeClaude): void {
	rig.doors.files.remove(`${STATE}/over-limit/${claude.window.name}.json`);
}

function heldFleet(config?: Parameters<typeof limitRig>[0]) {
	const rig = limitRig(config);
	const worker = fakeClaude(rig.doors, "w1");
	const orchestrator = fakeClaude(rig.doors, "orchestrator");
	return { rig, worker, orchestrator };
}

describe("the scan", () => {
	test("keeps a row for each pane at its limit, and none for the others", async () => {
		const { rig, worker, orchestrator } = heldFleet();
		fakeClaude(rig.doors, "w2");
		stamp(rig, worker, "midnight UTC");
		stamp(rig, orchestrator, "midnight UTC");
		expect(await rig.scan()).toBe(0);
		expect(rig.rows().map((r) => [r[0], r[1], r[2]])).toEqual([
			["w1", "w1", "worker"],
			["_orchestrator", "orchestrator", "orchestrator"],
		]);
		for (const row of rig.rows())
			expect(row.slice(3)).toEqual([
				"midnight_UTC",
				`${MIDNIGHT}`,
				`${N}`,
				`${MIDNIGHT + 300}`,
				"0",
			]);
		expect(rig.text(OBSERVED)).toContain(`_orchestrator\t${N}\n`);
	});

	test("finds the notice on the screen of a pane without hooks", async () => {
		const { rig, worker } = heldFleet();
		worker.set({
			transcript: [
				"❯ go on",
				"  ⎿  You've hit your weekly limit · resets midnight (UTC)",
			],
		});
		await rig.scan();
		expect(rig.rows()[0]?.[3]).toBe("midnight_UTC");
	});

	test("sees that a pane went on: the wake is due at once", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		unstamp(rig, worker);
		await rig.until(N + 60);
		await rig.scan();
		expect(rig.rows()[0]?.[6]).toBe(`${N + 60}`);
	});

	test("of a pane that says nothing of a limit leaves its row, and one that went on moves no other's", async () => {
		const { rig, worker } = heldFleet();
		const other = fakeClaude(rig.doors, "w2");
		for (const claude of [worker, other]) stamp(rig, claude, "midnight UTC");
		await rig.scan();
		unstamp(rig, worker);
		worker.window.pane.screen = "half drawn";
		await rig.until(N + 60);
		await rig.scan();
		const due = () => rig.rows().map((r) => [r[0], Number(r[6])]);
		expect(due()).toEqual([
			["w1", MIDNIGHT + 300],
			["w2", MIDNIGHT + 300],
		]);
		worker.set({ busy: true });
		await rig.scan();
		expect(due()).toEqual([
			["w1", N + 60],
			["w2", MIDNIGHT + 300],
		]);
		// What is due already stays as it is.
		await rig.until(N + 120);
		await rig.scan();
		expect(due()[0]).toEqual(["w1", N + 60]);
	});

	test("looks past a corpse to the live pane of the same name", async () => {
		const rig = limitRig();
		rig.doors.tmux.window("w1").pane.dead = "1";
		const claude = fakeClaude(rig.doors, "w1");
		stamp(rig, claude, "midnight UTC");
		await rig.scan();
		expect(rig.rows()).toHaveLength(1);
	});

	test("without tmux changes nothing", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		const before = rig.text(ROWS);
		rig.doors.tmux.fail("panes", { kind: "hung" });
		expect(await rig.scan()).toBe(1);
		expect(rig.text(ROWS)).toBe(before);
	});

	test("takes neither the watcher's window nor a shell for a worker", async () => {
		const rig = limitRig();
		const claude = fakeClaude(rig.doors, "watcher");
		stamp(rig, claude, "midnight UTC");
		rig.doors.tmux.window("sh", "You've hit your limit · resets 3am");
		await rig.scan();
		expect(rig.rows()).toEqual([]);
	});
});

describe("reports to an orchestrator at its limit", () => {
	test("are held while it is seen there, and noted", async () => {
		const { rig, orchestrator } = heldFleet();
		expect(rig.hold.paused(rig.doors.clock.now())).toBe(false);
		stamp(rig, orchestrator, "midnight UTC");
		await rig.scan();
		expect(rig.hold.paused(rig.doors.clock.now())).toBe(true);
		rig.hold.record("a.md", "poll");
		await rig.until(N + 900);
		await rig.scan();
		rig.hold.record("b.md", "poll");
		const held = rig.text(`${STATE}/over-limit-held.log`).split("\n");
		expect(held[0]).toStartWith("# ");
		expect(held[1]).toBe(`# epoch ${N}`);
		expect(held[2]).toMatch(/^\S+\theld\tarchive=a\.md\treason=poll$/);
		expect(rig.text(`${STATE}/watcher-alerts.log`)).toMatch(
			/ALERT reports are held: .*15m/,
		);
		expect(rig.hold.paused(N + 900 + 601)).toBe(false);
	});

	test("that are held are told once, then by the hour, and the next hold begins anew", async () => {
		const { rig, orchestrator } = heldFleet();
		const alerts = () =>
			[
				...rig.text(`${STATE}/watcher-alerts.log`).matchAll(/ALERT (.*?):/g),
			].map(([, what]) => what);
		stamp(rig, orchestrator, "Aug 1 at 7pm UTC");
		await rig.scan();
		for (const seconds of [899, 900, 960, 4499, 4500]) {
			await rig.until(N + seconds);
			await rig.scan();
			rig.hold.record("a.md", "poll");
		}
		expect(alerts()).toEqual(["reports are held", "reports are still held"]);
		rig.doors.files.remove(ROWS);
		await rig.scan();
		await rig.until(N + 5400);
		rig.hold.record("b.md", "poll");
		expect(alerts().at(-1)).toBe("reports are held");
	});

	test("are not held for a worker's limit", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		expect(rig.hold.paused(N)).toBe(false);
	});
});

describe("a wake", () => {
	test("before its time touches nothing", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		const before = rig.text(ROWS);
		await rig.wakes();
		expect(worker.keys).toEqual([]);
		expect(rig.text(ROWS)).toBe(before);
	});

	test("of a worker that can go on: the ledger's row, then the brief; the row is gone", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		unstamp(rig, worker);
		await rig.until(MIDNIGHT + 300);
		let atPaste = "";
		rig.doors.tmux.before((call) => {
			if (call.op === "run" && call.cmd.kind === "paste-buffer")
				atPaste = rig.ledger();
		});
		await rig.wakes();
		expect(worker.sent).toHaveLength(1);
		expect(worker.sent[0]).toContain("was reported to reset at midnight (UTC)");
		expect(atPaste).toMatch(/^w1\t\d+\tover-limit-wake\n$/);
		expect(rig.rows()).toEqual([]);
		expect(rig.doors.files.has(ROWS)).toBe(false);
		expect(rig.doors.files.has(OBSERVED)).toBe(false);
		expect(rig.text(`${STATE}/over-limit-liveness.tsv`)).toContain("w1\t");
	});

	test("that found the pane working is a reset event; an idle pane is none", async () => {
		for (const busy of [true, false]) {
			const { rig, worker } = heldFleet();
			stamp(rig, worker, "midnight UTC");
			await rig.scan();
			unstamp(rig, worker);
			worker.set({ busy });
			await rig.until(MIDNIGHT + 300);
			await rig.wakes();
			const event = rig.text(`${STATE}/unstick/ratelimit.reset-event`);
			expect(event.includes("over-limit-resumed:w1")).toBe(busy);
		}
	});

	test("one banner is one resume: the notice that is still on the screen is ignored", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		unstamp(rig, worker);
		await rig.until(MIDNIGHT + 300);
		await rig.wakes();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		expect(rig.rows()).toEqual([]);
	});

	test("of the orchestrator brings the report of the off-time", async () => {
		const { rig, worker, orchestrator } = heldFleet();
		stamp(rig, worker, "Aug 1 at 7pm (Asia/Tokyo)");
		stamp(rig, orchestrator, "midnight UTC");
		await rig.scan();
		rig.hold.record("a.md", "poll");
		unstamp(rig, orchestrator);
		await rig.until(MIDNIGHT + 300);
		await rig.wakes();
		const [brief = ""] = orchestrator.sent;
		const lines = brief.split("\n");
		expect(lines[0]).toBe("=== WATCHER: USAGE-LIMIT RECOVERY (read first) ===");
		for (const part of [
			"WHAT HAPPENED",
			"STATE NOW",
			"LOG OF THE OFF-TIME",
			"midnight (UTC)",
			"6h 00m 00s",
			"1 report(s)",
			"a.md",
			"w1",
			`${STATE}/over-limit-held.log`,
			"monitor/.state/diffs/",
			"monitor/.state/last-snapshot.txt",
		])
			expect(brief).toContain(part);
		expect(rig.ledger()).toBe("");
		expect(rig.rows().map((r) => r[0])).toEqual(["w1"]);
	});

	test("of a pane still at its limit backs off, and after four attempts tells it all the same", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		await rig.until(MIDNIGHT + 300);
		const seen: (readonly [string, number])[] = [];
		for (let i = 0; i < 3; i++) {
			await rig.wakes();
			const row = rig.rows()[0];
			seen.push([row?.[7] ?? "", Number(row?.[6]) - rig.doors.clock.now()]);
			await rig.until(Number(row?.[6]));
		}
		expect(seen).toEqual([
			["1", 60],
			["2", 120],
			["3", 240],
		]);
		expect(worker.sent).toEqual([]);
		await rig.wakes();
		expect(worker.sent).toHaveLength(1);
		expect(rig.rows()).toEqual([]);
	});

	test("after the longest hold asks the pane itself, not due or not, and says that it is a probe", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "3am PT");
		await rig.scan();
		const [row = []] = rig.rows();
		const later = row.with(6, `${N + 900_000}`);
		rig.doors.files.seed(ROWS, `${later.join("\t")}\n`);
		await rig.until(N + 90_000);
		await rig.wakes();
		expect(worker.sent).toEqual([]);
		await rig.until(N + 90_001);
		await rig.wakes();
		expect(worker.sent[0]).toContain("This is a probe");
		expect(rig.ledger()).toContain("over-limit-wake");
		expect(rig.rows()).toEqual([]);
	});

	test("of a reset that nobody understood quotes the pane's own words", async () => {
		const { rig, worker } = heldFleet();
		worker.set({
			transcript: [
				"❯ go on",
				"  ⎿  You've hit your weekly limit · resets half past tea time",
			],
		});
		await rig.scan();
		for (let i = 0; i < 6; i++) {
			await rig.until(Number(rig.rows()[0]?.[6] ?? rig.doors.clock.now()));
			await rig.wakes();
		}
		expect(worker.sent[0]).toContain("half past tea time");
	});

	test("finds the orchestrator by the name that its window has now", async () => {
		const { rig, orchestrator } = heldFleet();
		stamp(rig, orchestrator, "midnight UTC");
		await rig.scan();
		const [row = []] = rig.rows();
		rig.doors.files.seed(ROWS, `${row.with(1, "former").join("\t")}\n`);
		unstamp(rig, orchestrator);
		await rig.until(MIDNIGHT + 300);
		await rig.wakes();
		expect(orchestrator.sent).toHaveLength(1);
	});

	test("of a pane without an agent drops the row, and moves no other's", async () => {
		const { rig, worker } = heldFleet();
		const other = fakeClaude(rig.doors, "w2");
		for (const claude of [worker, other]) stamp(rig, claude, "midnight UTC");
		await rig.scan();
		await rig.until(MIDNIGHT + 300);
		worker.window.pane.dead = "1";
		await rig.wakes();
		expect(worker.keys).toEqual([]);
		expect(rig.rows().map((r) => [r[0], r[7]])).toEqual([["w2", "1"]]);
	});

	test("that cannot be pasted leaves attempts and draft as they are", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		unstamp(rig, worker);
		worker.set({ box: "half a thought" });
		await rig.until(MIDNIGHT + 300);
		await rig.wakes();
		expect(worker.box).toBe("half a thought");
		expect(rig.rows()[0]?.[7]).toBe("0");
	});

	test("that is put off leaves alone what was learned during its look", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		await rig.until(MIDNIGHT + 360);
		let isPulled = false;
		rig.doors.tmux.before(({ op }) => {
			if (op !== "panes" || isPulled) return;
			isPulled = true;
			expediteAll(rig.doors, STATE, "credential-change", 4);
			stamp(rig, worker, "midnight UTC");
		});
		await rig.wakes();
		expect(isPulled).toBe(true);
		expect(rig.rows()[0]?.slice(6)).toEqual([`${MIDNIGHT + 300}`, "3"]);
	});

	test.each<[string, (doors: FakeDoors) => () => void]>([
		[
			"cannot be written down",
			({ files }) => {
				files.faults.freeBytes = 0;
				return () => {
					files.faults.freeBytes = Number.POSITIVE_INFINITY;
				};
			},
		],
		["finds no tmux", ({ tmux }) => tmux.fail("panes", { kind: "no-tmux" })],
	])(
		"that %s after the longest hold asks again once it can",
		async (_name, breaks) => {
			const { rig, worker } = heldFleet();
			stamp(rig, worker, "3am PT");
			await rig.scan();
			await rig.until(N + 90_001);
			const heal = breaks(rig.doors);
			await rig.wakes();
			expect(rig.rows()).toHaveLength(1);
			heal();
			await rig.until(rig.doors.clock.now() + 300);
			await rig.wakes();
			expect(worker.sent[0]).toContain("This is a probe");
			expect(rig.rows()).toEqual([]);
		},
	);

	test("that finds a draft after the longest hold asks again every few minutes until the box is free", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "3am PT");
		await rig.scan();
		worker.set({ box: "half a thought" });
		await rig.until(N + 90_001);
		const asked = () => rig.ledger().split("\n").length - 1;
		await rig.wakes();
		expect(rig.rows()[0]?.[6]).toBe(`${rig.doors.clock.now() + 300}`);
		expect(asked()).toBe(1);
		await rig.until(rig.doors.clock.now() + 299);
		await rig.wakes();
		expect(asked()).toBe(1);
		await rig.until(rig.doors.clock.now() + 1);
		await rig.wakes();
		expect(asked()).toBe(2);
		worker.set({ box: "" });
		await rig.until(rig.doors.clock.now() + 300);
		await rig.wakes();
		expect(worker.sent[0]).toContain("This is a probe");
		expect(rig.rows()).toEqual([]);
	});

	test("that is ended from outside before it was told keeps the row, however long it was held", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "3am PT");
		await rig.scan();
		await rig.until(N + 100_000);
		const ending = new AbortController();
		rig.doors.tmux.before(() => ending.abort());
		await rig.wakes(ending);
		expect(worker.sent).toEqual([]);
		expect(rig.rows()).toHaveLength(1);
	});

	test("of a window that is gone drops the row; one that nobody could look at keeps it", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		await rig.until(MIDNIGHT + 300);
		const heal = rig.doors.tmux.fail("panes", { kind: "hung" });
		await rig.wakes();
		expect(rig.rows()).toHaveLength(1);
		heal();
		rig.doors.tmux.model.closeWindow(worker.window);
		await rig.wakes();
		expect(rig.rows()).toEqual([]);
		expect(worker.keys).toEqual([]);
	});

	test("with a dialog in the way drops the row: the dialog has its own hands", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		worker.set({ dialog: { kind: "rate-limit" } });
		await rig.until(MIDNIGHT + 300);
		await rig.wakes();
		expect(rig.rows()).toEqual([]);
		expect(worker.keys).toEqual([]);
	});
});

describe("a proof that the limit is over", () => {
	test("pulls every hold to now", async () => {
		const { rig, worker, orchestrator } = heldFleet();
		for (const claude of [worker, orchestrator])
			stamp(rig, claude, "midnight UTC");
		await rig.scan();
		expect(expediteAll(rig.doors, STATE, "over-limit-resumed:w9", 4)).toBe(2);
		expect(rig.rows().map((r) => r[6])).toEqual([`${N}`, `${N}`]);
		expect(rig.rows().map((r) => r[7])).toEqual(["0", "0"]);
		expect(expediteAll(rig.doors, STATE, "over-limit-resumed:w9", 4)).toBe(0);
	});

	test("another account sets the stamps aside, and one more look decides", async () => {
		const { rig, worker } = heldFleet();
		stamp(rig, worker, "midnight UTC");
		await rig.scan();
		expect(expediteAll(rig.doors, STATE, "credential-change", 4)).toBe(1);
		expect(rig.rows()[0]?.slice(6)).toEqual([`${N}`, "3"]);
		const stamps = rig.doors.files.list(`${STATE}/over-limit`);
		expect(stamps).toEqual({
			kind: "ok",
			names: [`w1.json.released-credential-change.${N}`],
		});
	});
});
