import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sectionLines } from "../../monitor/_emit/sections.ts";
import { stagedOutPath } from "../../monitor/_state/staging.ts";
import { fakeDiff } from "../fakes/diff.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { NO_TMUX } from "../fakes/tmux.ts";
import { emitRig, ROOT, STAGE, STATE } from "./emit-rig.ts";

const BASELINE = join(STATE, "last-snapshot.txt");
const report = (name: string) => join(ROOT, "reports", name);

test("without a snapshot of this process there is no cycle", async () => {
	const rig = emitRig();
	await rig.compose();
	expect(rig.state("watcher-cycle")).toBeNull();
	expect(rig.state("watcher-progress")).toBeNull();
	expect(rig.tried).toEqual([]);
});

test("a predecessor's staged snapshot does not count", async () => {
	const rig = emitRig();
	rig.files.seed(join(rig.ctx.stageDir, "snapshot_local.out"), "# x\n", {
		mtime: rig.clock.now() - 5,
	});
	await rig.compose();
	expect(rig.files.has(BASELINE)).toBe(false);
});

test("the first snapshot becomes the baseline, and that is a healthy cycle", async () => {
	const rig = emitRig();
	await rig.seed();
	expect(rig.files.text(BASELINE)).toContain("orchestrator bell=0\n");
	expect(rig.state("watcher-cycle")).toContain("epoch=");
	expect(rig.state("watcher-heartbeat")).toContain("target=orchestrator");
	expect(rig.tried).toEqual([]);
});

test("a new report is delivered, archived, and then part of the baseline", async () => {
	const rig = emitRig();
	await rig.seed();
	rig.files.seed(report("a_2026-05-11_1.md"), "x");
	await rig.cycle();
	expect(rig.pasted).toHaveLength(1);
	expect(sectionLines(rig.pasted[0] ?? "", "localDiff")).toContain(
		"+a_2026-05-11_1.md",
	);
	expect(rig.pasted[0]).toContain("\nworkspace: UNAVAILABLE (NO IDLE PROBE)\n");
	const [archive = ""] = rig.archives();
	expect(rig.files.text(archive)).toBe(rig.pasted[0] ?? "");
	expect(archive).toMatch(/\/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_[0-9a-f]{6}\.md$/);
	expect(rig.files.text(BASELINE)).toContain("a_2026-05-11_1.md");
	await rig.cycle();
	expect(rig.tried).toHaveLength(1);
});

test("a moved clone is noise: suppressed, logged, and not asked about again", async () => {
	const rig = emitRig({ git: true });
	await rig.seed();
	rig.proc.answer("git", "# branch.oid abc123\n");
	rig.files.seed(join(ROOT, "work/clone/.git/HEAD"), "ref: refs/heads/main\n");
	await rig.cycle();
	expect(rig.log.messages()).toContain(
		"suppressed emit: 1 git-section update(s)",
	);
	expect(rig.files.text(BASELINE)).toContain("clone abc123 clean");
	rig.log.clear();
	await rig.cycle();
	expect(rig.log.messages()).toEqual([]);
});

test("a snapshot of another shape reseeds the baseline without a word to the orchestrator", async () => {
	const rig = emitRig();
	rig.files.seed(BASELINE, "# snapshot-format=v1 old\nsomething\n");
	await rig.cycle();
	expect(rig.tried).toEqual([]);
	expect(rig.files.text(BASELINE)).toStartWith("# snapshot-format=v2 ");
	expect(rig.log.messages().join()).toContain("snapshot format changed");
});

test("the report carries the arm section, but the arm section alone sends none", async () => {
	const rig = emitRig({ arm: "NOT armed" });
	await rig.seed();
	await rig.cycle();
	expect(rig.tried).toEqual([]);
	rig.files.seed(report("a.md"), "x");
	await rig.cycle();
	expect(sectionLines(rig.pasted[0] ?? "", "arm")).toEqual(["NOT armed"]);
});

describe("bells", () => {
	test("a bell is told, answered, and not told again", async () => {
		const rig = emitRig();
		rig.tmux.window("worker-3");
		await rig.seed();
		rig.tmux.byName("worker-3").bell = true;
		await rig.cycle();
		expect(sectionLines(rig.pasted[0] ?? "", "bells")[0]).toBe(
			"  - worker-3 (idx 1)",
		);
		expect(rig.tmux.byName("worker-3").bell).toBe(false);
		expect(rig.staged("bell_windows")).toBe("");
		expect(rig.files.text(BASELINE)).toContain("worker-3 bell=0");
		await rig.compose();
		await rig.cycle();
		expect(rig.tried).toHaveLength(1);
	});

	test("a bell is answered even when its report was held, and the archive keeps it", async () => {
		const rig = emitRig();
		rig.tmux.window("worker-3");
		await rig.seed();
		rig.tmux.byName("worker-3").bell = true;
		rig.ends.push(7);
		await rig.cycle();
		expect(rig.tmux.byName("worker-3").bell).toBe(false);
		expect(rig.archives()).toHaveLength(1);
	});

	test("answering bells moves nobody's window and leaves no helper behind", async () => {
		const rig = emitRig();
		rig.tmux.window("worker-3");
		await rig.seed();
		const [session] = rig.tmux.model.sessions;
		const looking = session?.current;
		rig.tmux.byName("worker-3").bell = true;
		await rig.cycle();
		expect(session?.current).toBe(looking ?? null);
		expect(rig.tmux.model.sessions).toHaveLength(1);
	});

	test("a report that arrives while bells are answered is told in the next cycle", async () => {
		const rig = emitRig();
		rig.tmux.window("worker-3");
		await rig.seed();
		rig.tmux.byName("worker-3").bell = true;
		rig.tmux.before((call) => {
			if (call.op === "run") rig.files.seed(report("late.md"), "x");
		});
		await rig.cycle();
		expect(rig.files.text(BASELINE)).not.toContain("late.md");
		await rig.cycle();
		expect(rig.pasted.at(-1)).toContain("+late.md");
	});
});

describe("the baseline", () => {
	test("stands still when only a decision was told, so that it cannot mask a local change", async () => {
		const rig = emitRig();
		await rig.seed();
		const before = rig.files.stat(BASELINE);
		rig.decide("orchestrator", "f5a582351dfd");
		rig.clock.stall(60_000);
		await rig.decisions();
		await rig.compose();
		expect(rig.pasted).toHaveLength(1);
		expect(rig.files.stat(BASELINE)).toEqual(before);
	});

	test.each([1, 3, 4, 6, 7, 2, 5] as const)(
		"advances past a local change even when the paste ends with %d",
		async (rc) => {
			const rig = emitRig();
			await rig.seed();
			rig.files.seed(report("a.md"), "x");
			rig.ends.push(rc);
			await rig.cycle();
			expect(rig.pasted).toEqual([]);
			expect(rig.files.text(BASELINE)).toContain("a.md");
		},
	);

	test.each([
		["zero bytes", ""],
		["a torn tail", "# snapshot-format=v2\n--- tmux"],
		["foreign text", "<html>\n"],
		["20 MB", `# snapshot-format=v2\n${"x".repeat(20 << 20)}\n`],
		["a FIFO", null],
	])(
		"of %s is set aside once, and the next cycle is full-state",
		async (_name, text) => {
			const rig = emitRig();
			await rig.seed();
			rig.files.remove(BASELINE);
			if (text === null) rig.files.seedOther(BASELINE);
			else rig.files.seed(BASELINE, text);
			await rig.cycle();
			const aside = rig.files
				.paths(STATE)
				.filter((p) => p.includes("last-snapshot.txt.damaged."));
			expect(aside).toHaveLength(1);
			const warns = rig.state("watcher-alerts.log")?.match(/ WARN /g);
			expect(warns).toHaveLength(1);
			expect(rig.tried).toEqual([]);
			await rig.cycle();
			expect(rig.pasted[0]).toContain("(poll-full-state)");
			expect(rig.archives()[0]).toEndWith("_full-state.md");
			await rig.cycle();
			expect(rig.tried).toHaveLength(1);
		},
	);

	test.each([
		["the same watcher", false],
		["the next one", true],
	])(
		"moves on whatever came of a report, and %s says again what did not arrive",
		async (_, restarts) => {
			let rig = emitRig();
			await rig.seed();
			rig.files.seed(report("a_2026-05-11_1.md"), "x");
			rig.ends.push(7);
			await rig.cycle();
			expect(rig.files.text(BASELINE)).toContain("a_2026-05-11_1.md");
			if (restarts) rig = emitRig({ after: rig.doors });
			rig.files.seed(report("b_2026-05-11_2.md"), "x");
			await rig.cycle();
			expect(sectionLines(rig.pasted[0] ?? "", "localDiff")).toEqual(
				expect.arrayContaining(["+a_2026-05-11_1.md", "+b_2026-05-11_2.md"]),
			);
			expect(rig.state("untold-baseline.txt")).toBeNull();
			await rig.cycle();
			expect(rig.pasted).toHaveLength(1);
		},
	);

	test("that was lost stays news until a report of it was delivered", async () => {
		const rig = emitRig();
		rig.files.seed(BASELINE, "torn: # snapshot-form");
		await rig.cycle();
		rig.ends.push(7);
		await rig.cycle();
		await rig.cycle();
		expect(rig.pasted).toHaveLength(1);
		await rig.cycle();
		expect(rig.tried).toHaveLength(2);
	});

	test("that cannot be read stops nothing else and is not replaced", async () => {
		const rig = emitRig();
		await rig.seed();
		rig.files.faults.fail({ path: BASELINE, ops: ["read"], code: "EIO" });
		rig.files.seed(report("a.md"), "x");
		rig.tmux.window("w").bell = true;
		rig.decide("orchestrator", "f5a582351dfd");
		await rig.cycle();
		expect(rig.pasted[0]).toContain("--- pending decisions ---");
		expect(rig.pasted[0]).toContain("--- standing bells ---");
		expect(rig.files.text(BASELINE)).not.toContain("a.md");
	});
});

test.each([
	["zeros", () => "\0".repeat(512)],
	["half of it", (whole: string) => whole.slice(0, whole.length / 2)],
])(
	"a staged snapshot that is %s is none, and no baseline",
	async (_what, spoil) => {
		const rig = emitRig();
		await rig.seed();
		const before = rig.files.text(BASELINE);
		rig.files.seed(report("a.md"), "x");
		await rig.snapshot();
		const path = stagedOutPath(STAGE, "snapshot_local");
		rig.files.seed(path, spoil(rig.files.text(path)));
		await rig.compose();
		expect(rig.files.text(BASELINE)).toBe(before);
		await rig.cycle();
		expect(sectionLines(rig.pasted[0] ?? "", "localDiff")).toContain("+a.md");
	},
);

test("a change that diff cannot show is told all the same, and shown once diff can again", async () => {
	const rig = emitRig();
	await rig.seed();
	let isBroken = true;
	rig.proc.answer("diff", (argv) => {
		if (!isBroken) return fakeDiff(rig, argv[2] ?? "", argv[3] ?? "");
		return { kind: "exited", rc: 2, stdout: "", stderr: "" };
	});
	rig.files.seed(report("a.md"), "x");
	await rig.cycle();
	expect(sectionLines(rig.pasted[0] ?? "", "localDiff")).toEqual([
		"(the snapshot changed, but the change cannot be shown: diff exited 2)",
	]);
	await rig.cycle();
	expect(rig.archives()).toHaveLength(1);
	isBroken = false;
	rig.files.seed(report("b.md"), "x");
	await rig.cycle();
	const shown = sectionLines(rig.pasted[1] ?? "", "localDiff");
	expect(shown).toContain("+a.md");
	expect(shown).toContain("+b.md");
	await rig.cycle();
	expect(rig.pasted).toHaveLength(2);
});

test("a scratch folder that a reaper deleted is made anew, and the operator told once in ten minutes", async () => {
	const rig = emitRig();
	await rig.seed();
	for (let i = 0; i < 2; i++) {
		rig.files.removeTree(rig.ctx.scratchDir);
		rig.files.seed(report(`r${i}.md`), "x");
		await rig.cycle();
	}
	expect(rig.pasted).toHaveLength(2);
	expect(rig.state("watcher-alerts.log")?.match(/ WARN /g)).toHaveLength(1);
});

test.each([7, 2, 5, 3, 6] as const)(
	"a report whose paste ends with %d is archived once however often it is tried, a changed one again",
	async (rc) => {
		const rig = emitRig();
		await rig.seed();
		rig.decide("orchestrator", "f5a582351dfd");
		for (let i = 0; i < 5; i++) {
			rig.ends.push(rc);
			rig.clock.stall(60_000);
			await rig.cycle();
		}
		expect(rig.tried).toHaveLength(5);
		expect(rig.archives()).toHaveLength(1);
		rig.decide("orchestrator", "0894179b4af2");
		rig.ends.push(rc);
		await rig.cycle();
		expect(rig.archives()).toHaveLength(2);
		rig.clock.stall(60_000);
		await rig.cycle();
		await rig.cycle();
		expect(rig.pasted).toHaveLength(1);
	},
);

test("what is pasted of a held report is the fresh text, not the first try's", async () => {
	const rig = emitRig();
	await rig.seed();
	rig.decide("orchestrator", "f5a582351dfd");
	rig.ends.push(7);
	await rig.cycle();
	rig.clock.stall(60_000);
	await rig.cycle();
	expect(rig.pasted[0]).toContain(rig.clock.iso());
});

test("without tmux each --once pass archives its sweep and its emit", async () => {
	const doors = fakeDoors({
		auto: true,
		proc: { env: { WATCHER_WINDOW: "headless" } },
	});
	doors.tmux.fail("panes", NO_TMUX);
	const comment = {
		composeGhNow: async () => ({
			text: "issue=42 id=4567890 author=ada\n  body: go\n",
			commit: () => {},
			commitTold: () => {},
			release: () => {},
		}),
	};
	const once = async () => {
		const rig = emitRig({ after: doors, further: comment, mayRestart: false });
		await rig.snapshot();
		if (!rig.files.has(BASELINE)) await rig.compose();
		rig.ends.push(1, 1);
		await rig.sweep();
		await rig.compose();
		doors.clock.stall(2000);
		return rig;
	};
	const first = await once();
	expect(first.archives()).toHaveLength(2);
	const baseline = doors.files.stat(BASELINE);
	const second = await once();
	expect(second.archives()).toHaveLength(4);
	const resurfaced = second
		.archives()
		.filter((p) => p.endsWith("_resurface.md"));
	expect(resurfaced).toHaveLength(2);
	expect(doors.files.stat(BASELINE)).toEqual(baseline);
	expect(doors.proc.spawned).toEqual([]);
	const quiet = emitRig({ after: doors, mayRestart: false });
	await quiet.snapshot();
	await quiet.sweep();
	await quiet.compose();
	expect(quiet.archives()).toHaveLength(4);
});
