import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	listBellWindows,
	parseStagedBells,
	renderBells,
	renderStagedBells,
} from "../../monitor/_emit/bells.ts";
import { parseStatus } from "../../monitor/_emit/git-listing.ts";
import { renderReports } from "../../monitor/_emit/reports-listing.ts";
import { renderSnapshot, windowsOf } from "../../monitor/_emit/snapshot.ts";
import { parseSnapshot } from "../../monitor/_state/last-snapshot.ts";
import {
	keepUntoldBaseline,
	untoldBaselinePath,
} from "../../monitor/_state/untold-baseline.ts";
import { bellWindowsTask } from "../../monitor/watcher/_bell_windows.ts";
import { HANG } from "../fakes/proc.ts";
import { HUNG, NO_TMUX, REFUSED } from "../fakes/tmux.ts";
import { paneRow } from "../fakes/tmux-model.ts";
import { emitRig, ROOT, STATE } from "./emit-rig.ts";

const REPORTS = join(ROOT, "reports");
const CACHE = join(STATE, "snapshot-reports.cache");
const text = (...lines: string[]) => lines.map((l) => `${l}\n`).join("");
const total = (n: number) =>
	`reports-total: ${n} (top-level only; archived subdirectories NOT counted)`;

test("a snapshot is tmux first, then reports, then git, each byte-sorted", () => {
	expect(
		renderSnapshot({
			windows: [
				{ name: "worker-3", bell: true },
				{ name: "Z", bell: false },
				{ name: "•bell", bell: true },
				{ name: "a", bell: false },
			],
			reports: text(total(1), "x.md"),
			git: text("p abc clean"),
		}),
	).toBe(
		text(
			"# snapshot-format=v2 tmux-first,reports-bounded-count,git-on",
			"--- tmux ---",
			"Z bell=0",
			"a bell=0",
			"worker-3 bell=1",
			"--- reports ---",
			total(1),
			"x.md",
			"--- git ---",
			"p abc clean",
		),
	);
});

describe("the baseline of what was not told yet", () => {
	const path = untoldBaselinePath(STATE);
	const [first, later] = ["a", "b"].map((line) =>
		renderSnapshot({ windows: [], reports: text(total(1), line), git: null }),
	);
	test.each([
		["is kept", null, later],
		["stands where one stands already", first, first],
		["takes the place of a damaged one, which is set aside", "torn", later],
	] as const)("%s", (_, standing, kept) => {
		const { doors } = emitRig();
		if (standing !== null) doors.files.seed(path, standing ?? "");
		keepUntoldBaseline(doors, STATE, later ?? "");
		expect(doors.files.text(path)).toBe(kept ?? "");
		expect(
			doors.files.paths(STATE).filter((p) => p.includes(".damaged.")),
		).toHaveLength(standing === "torn" ? 1 : 0);
	});
});

test("without the git section the first line says so", () => {
	const snapshot = renderSnapshot({ windows: [], reports: "", git: null });
	expect(snapshot).toStartWith(
		"# snapshot-format=v2 tmux-first,reports-bounded-count,git-off\n",
	);
	expect(snapshot).not.toContain("--- git ---");
	expect(parseSnapshot(snapshot)).toBe(snapshot);
	expect(parseSnapshot(snapshot.slice(0, -1))).toBeNull();
});

test("a window counts once, however many panes and sessions show it, and rings if any of them says so", () => {
	const rows = [
		paneRow({ windowName: "w", bell: false }),
		paneRow({ windowName: "w", paneId: "%2", session: "other", bell: true }),
		paneRow({ windowId: "@2", windowName: "evil\n--- git ---" }),
	];
	expect(windowsOf(rows)).toEqual([
		{ name: "w", bell: true },
		{ name: "evil --- git ---", bell: false },
	]);
});

describe("the listing of reports", () => {
	test("counts all and names the last, without interim ones", () => {
		const names = [
			"b.md",
			"a.md",
			"c-interim.md",
			"c-interim-2.md",
			"notes.txt",
			"2026-05",
			"d.md",
		];
		expect(renderReports(names, 2)).toBe(text(total(3), "b.md", "d.md"));
		expect(renderReports(names, 0)).toBe(text(total(3)));
		expect(renderReports([], 20)).toBe(text(total(0)));
	});

	test("a new report of a project early in the alphabet is named, too", () => {
		const old = ["w_2026-05-10_080000_x.md", "z_2026-05-10_090000_y.md"];
		const young = "a_2026-05-11_070000_z.md";
		expect(renderReports([...old, young], 2)).toBe(
			text(total(3), young, ...old),
		);
		const younger = "b_2026-05-11_080000_z.md";
		expect(renderReports([...old, young, younger, "no-time.md"], 1)).toBe(
			text(total(5), younger, "z_2026-05-10_090000_y.md"),
		);
	});

	test("a name cannot forge a line", () => {
		expect(renderReports(["a\nforged bell=1\u001b.md"], 20)).toBe(
			text(total(1), "a forged bell=1 .md"),
		);
	});

	const reportsOf = async (rig: ReturnType<typeof emitRig>) => {
		await rig.snapshot();
		const lines = rig.staged("snapshot_local")?.split("\n") ?? [];
		return lines.slice(lines.indexOf("--- reports ---") + 1, -1);
	};

	test("a folder that stood still is not listed again, one that changed is", async () => {
		const rig = emitRig();
		rig.files.seed(join(REPORTS, "a.md"), "");
		rig.clock.stall(10_000);
		expect(await reportsOf(rig)).toEqual([total(1), "a.md"]);
		rig.files.faults.fail({ path: REPORTS, ops: ["list"], code: "EIO" });
		expect(await reportsOf(rig)).toEqual([total(1), "a.md"]);
		expect(rig.log.messages()).toEqual([]);
		rig.files.seed(join(REPORTS, "b.md"), "");
		await reportsOf(rig);
		expect(rig.log.messages("warn")).toHaveLength(1);
	});

	test("a folder that changed a moment ago is listed again, for its time may not move with the next change", async () => {
		const rig = emitRig();
		rig.files.seed(join(REPORTS, "a.md"), "");
		await reportsOf(rig);
		rig.files.seed(join(REPORTS, "b.md"), "");
		expect(await reportsOf(rig)).toEqual([total(2), "a.md", "b.md"]);
	});

	test("a scan over its budget shows the last listing, or says that there is none", async () => {
		const rig = emitRig();
		rig.files.seed(join(REPORTS, "a.md"), "");
		rig.files.slow(REPORTS, 60_000);
		expect(await reportsOf(rig)).toEqual([
			"reports-total: (scan exceeded budget)",
		]);
		rig.files.slow(REPORTS, 0);
		await reportsOf(rig);
		rig.files.slow(REPORTS, 60_000);
		rig.files.seed(join(REPORTS, "b.md"), "");
		expect(await reportsOf(rig)).toEqual([total(1), "a.md"]);
		expect(rig.log.messages("warn")).toHaveLength(2);
	});

	test.each([
		["zero bytes", ""],
		["torn", "reports-total: 1"],
		["foreign", "<html>\n"],
		["1 MB", `reports-total: 1\n${"x".repeat(1 << 20)}\n`],
	])("a cache of %s is not believed", async (_name, cache) => {
		const rig = emitRig();
		rig.files.seed(join(REPORTS, "a.md"), "");
		rig.clock.stall(10_000);
		await reportsOf(rig);
		rig.files.seed(CACHE, cache);
		expect(await reportsOf(rig)).toEqual([total(1), "a.md"]);
	});

	test("no folder is no report", async () => {
		expect(await reportsOf(emitRig())).toEqual([total(0)]);
	});
});

describe("the listing of clones", () => {
	const git = (rig: ReturnType<typeof emitRig>) =>
		rig.proc.execs.filter(({ argv }) => argv[0] === "git");
	const rowsOf = async (rig: ReturnType<typeof emitRig>) => {
		await rig.snapshot();
		const lines = rig.staged("snapshot_local")?.split("\n") ?? [];
		return lines.slice(lines.indexOf("--- git ---") + 1, -1);
	};
	const withClones = (...names: string[]) => {
		const rig = emitRig({ git: true, env: { GIT_DIR: "/elsewhere/.git" } });
		for (const name of names)
			rig.files.seed(join(ROOT, "work", name, ".git/HEAD"), "ref: x\n");
		rig.proc.answer("git", "# branch.oid abc123\n# branch.head main\n");
		return rig;
	};

	test.each([
		[
			"clean",
			"# branch.oid abc123\n# branch.head main\n",
			{ head: "abc123", dirty: false },
		],
		[
			"dirty",
			"# branch.oid abc123\n1 .M N... 100644 f\n",
			{ head: "abc123", dirty: true },
		],
		[
			"an untracked file",
			"# branch.oid abc123\n? new\n",
			{ head: "abc123", dirty: true },
		],
		[
			"before the first commit",
			"# branch.oid (initial)\n",
			{ head: "none", dirty: false },
		],
		["no status at all", "fatal: not a git repository\n", null],
	])("status: %s", (_name, out, status) => {
		expect(parseStatus(out)).toEqual(status);
	});

	test("one row a clone, byte-sorted, folders without .git left out", async () => {
		const rig = withClones("b", "B", "a");
		rig.files.seed(join(ROOT, "work/plain/x"), "");
		expect(await rowsOf(rig)).toEqual([
			"B abc123 clean",
			"a abc123 clean",
			"b abc123 clean",
		]);
	});

	test("each clone is asked by one git, in its own folder, free of the caller's GIT_ variables and its own hooks", async () => {
		const rig = withClones("a");
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(1);
		const [asked] = git(rig);
		expect(asked?.argv.join(" ")).toBe(
			"git --no-optional-locks status --porcelain=v2 --branch",
		);
		expect(asked?.opts.cwd).toBe(join(ROOT, "work/a"));
		expect(asked?.opts.env).not.toHaveProperty("GIT_DIR");
		expect(asked?.opts.env).toMatchObject({
			GIT_CONFIG_KEY_0: "core.fsmonitor",
			GIT_CONFIG_VALUE_0: "false",
		});
	});

	test("still clones cost nothing for two minutes, a moved one is asked at once", async () => {
		const rig = withClones("a", "b");
		await rowsOf(rig);
		rig.clock.stall(30_000);
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(2);
		rig.files.seed(join(ROOT, "work/b/.git/index"), "new");
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(3);
		rig.clock.stall(90_000);
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(4);
	});

	test("four still clones cost at most two gits a minute each", async () => {
		const rig = withClones("a", "b", "c", "d");
		for (let i = 0; i < 20; i++) {
			await rowsOf(rig);
			rig.clock.stall(30_000);
		}
		expect(git(rig).length / 10).toBeLessThanOrEqual(8);
	});

	test("a worktree's git files are found through its .git file", async () => {
		const rig = emitRig({ git: true });
		rig.proc.answer("git", "# branch.oid abc123\n");
		rig.files.seed(
			join(ROOT, "work/w/.git"),
			"gitdir: /repo/.git/worktrees/w\n",
		);
		rig.files.seed("/repo/.git/worktrees/w/index", "1");
		expect(await rowsOf(rig)).toEqual(["w abc123 clean"]);
		rig.files.seed("/repo/.git/worktrees/w/index", "22");
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(2);
	});

	test("a git that hangs ends the whole listing within its budget, with one line", async () => {
		const rig = withClones("a", "b", "c");
		rig.proc.answer("git", HANG);
		const before = rig.clock.monoMs();
		expect(await rowsOf(rig)).toEqual([
			"(git listing unavailable: scan exceeded budget)",
		]);
		expect(rig.clock.monoMs() - before).toBe(10_000);
		expect(git(rig)).toHaveLength(1);
	});

	test("a work folder that cannot be listed in time is over budget too", async () => {
		const rig = withClones("a");
		rig.files.slow(join(ROOT, "work"), 60_000);
		expect(await rowsOf(rig)).toEqual([
			"(git listing unavailable: scan exceeded budget)",
		]);
	});

	test("a clone that cannot be asked is never called clean, and is asked again", async () => {
		const rig = withClones("a");
		rig.proc.answer("git", { rc: 128, stderr: "fatal: dubious ownership" });
		expect(await rowsOf(rig)).toEqual(["a none dirty"]);
		await rowsOf(rig);
		expect(git(rig)).toHaveLength(2);
	});

	test("a clone that went takes its row along", async () => {
		const rig = withClones("a", "b");
		await rowsOf(rig);
		rig.files.removeTree(join(ROOT, "work/a"));
		expect(await rowsOf(rig)).toEqual(["b abc123 clean"]);
	});

	test("a name of several lines stays one row", async () => {
		const rig = withClones("a\n--- tmux ---");
		expect(await rowsOf(rig)).toEqual(["a --- tmux --- abc123 clean"]);
	});
});

describe("tmux that gives no answer", () => {
	test.each([
		["is not there", NO_TMUX],
		["refuses", REFUSED],
	])("that %s has no windows", async (_name, failure) => {
		const rig = emitRig();
		rig.tmux.fail("panes", failure);
		await rig.snapshot();
		expect(rig.staged("snapshot_local")).toContain(
			"--- tmux ---\n--- reports ---",
		);
	});

	test("that hangs says nothing about its windows: the last snapshot stands", async () => {
		const rig = emitRig();
		await rig.snapshot();
		const before = rig.staged("snapshot_local");
		rig.tmux.fail("panes", HUNG);
		expect((await rig.snapshot()).rc).toBe(1);
		expect(rig.staged("snapshot_local")).toBe(before);
		expect((await rig.run(bellWindowsTask)).rc).toBe(1);
	});
});

describe("standing bells", () => {
	const ringing = (windowName: string, windowIndex = 1, part = {}) =>
		paneRow({
			windowId: `@${windowName}`,
			windowName,
			windowIndex,
			bell: true,
			...part,
		});

	test("are windows that ring, but not the target, the fleet's own, nor transient ones", () => {
		const rows = [
			ringing("worker-3", 4),
			ringing("b", 2),
			ringing("quiet", 3, { bell: false }),
			ringing("boss"),
			ringing("orchestrator"),
			ringing("claude"),
			ringing("monitor"),
			ringing("•bell"),
			ringing("worker-3", 4, { session: "other", paneId: "%9" }),
		];
		const bells = listBellWindows(rows, "boss");
		expect(bells).toEqual([
			{ index: 2, name: "b" },
			{ index: 4, name: "worker-3" },
		]);
		expect(renderBells(bells)).toBe("  - b (idx 2)\n  - worker-3 (idx 4)\n");
		expect(renderStagedBells(bells)).toBe("2\tb\n4\tworker-3\n");
		expect(parseStagedBells("2\tb\n4\tworker-3\nx\ty\n7\n")).toEqual(bells);
	});
});
