import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
	archiveName,
	newestArchive,
	planPrune,
} from "../../monitor/_state/emit-archive.ts";
import { newestEntries } from "../../monitor/_state/processed-comments.ts";
import { oldRotations } from "../../monitor/_state/rotation.ts";
import { emitRig, STATE } from "./emit-rig.ts";

const at = (name: string) => join(STATE, name);
const LIMITS = { maxFiles: 0, retentionDays: 7, maxPerRun: 5000 };
const day = (d: string) => `2026-05-${d}_10-00-00_aaaaaa.md`;

test("an archive is named by UTC time, nonce and tag", () => {
	const epoch = Date.parse("2026-05-11T20:42:01Z") / 1000;
	expect(archiveName(epoch, "a1b2c3")).toBe("2026-05-11_20-42-01_a1b2c3.md");
	expect(archiveName(epoch, "a1b2c3", "resurface")).toBe(
		"2026-05-11_20-42-01_a1b2c3_resurface.md",
	);
});

test("the newest archive is the greatest name", () => {
	expect(newestArchive([])).toBeNull();
	expect(newestArchive([day("09"), day("11"), "z.txt", day("10")])).toBe(
		day("11"),
	);
});

describe("which archives go", () => {
	test.each([
		[
			"older than the retention",
			[day("03"), day("04"), day("05")],
			LIMITS,
			[day("03")],
		],
		[
			"undated ones never for their age",
			["0notes.md", day("03"), "2note.md"],
			LIMITS,
			[day("03")],
		],
		[
			"undated ones between old ones stop nothing",
			[day("01"), "2026-05-02x.md", "2026-x.md", day("03")],
			LIMITS,
			[day("01"), "2026-05-02x.md", day("03")],
		],
		[
			"the oldest beyond the count",
			[day("09"), day("10"), day("11")],
			{ ...LIMITS, maxFiles: 2 },
			[day("09")],
		],
		[
			"both",
			[day("01"), day("09"), day("10"), day("11")],
			{ ...LIMITS, maxFiles: 2 },
			[day("01"), day("09")],
		],
		[
			"none with retention 0, count or not",
			[day("01"), day("02")],
			{ ...LIMITS, maxFiles: 1, retentionDays: 0 },
			[],
		],
		[
			"no more than a run may",
			[day("01"), day("02"), day("03")],
			{ ...LIMITS, maxPerRun: 2 },
			[day("01"), day("02")],
		],
		[
			"other files never",
			["2020-01-01_x.txt", "2020-01-01.md.tmp.1"],
			LIMITS,
			[],
		],
	])("%s", (_name, names, limits, doomed) => {
		expect(planPrune(names, "2026-05-11", limits)).toEqual(doomed);
	});
});

test("rotations are told from other neighbours by their epoch", () => {
	const names = [
		"x.log",
		"x.log.1",
		"x.log.1000000000",
		"x.log.1799999999",
		"x.log.1000000000.bak",
		"y.log.1000000000",
	];
	expect(oldRotations(names, "x.log", 1_799_000_000)).toEqual([
		"x.log.1000000000",
	]);
});

test.each([
	[2, "c\nd\n"],
	[9, "a\nb\nc\nd\n"],
	[0, "a\nb\nc\nd\n"],
])("of handled comments the newest %d are kept", (max, kept) => {
	expect(newestEntries("a\nb\nc\nd\n", max)).toBe(kept);
});

describe("a run", () => {
	test("prunes archives by the clock's day", async () => {
		const rig = emitRig({ now: Date.parse("2026-05-11T00:10:00Z") / 1000 });
		for (const d of ["03", "04", "11"])
			rig.files.seed(at(`diffs/${day(d)}`), "x");
		await rig.prune();
		expect(rig.archives().map((p) => p.split("/").at(-1))).toEqual([
			day("04"),
			day("11"),
		]);
	});

	test("forgets old stamps of comments and alerts, and only stamps", async () => {
		const rig = emitRig();
		const old = { mtime: rig.clock.now() - 86_401 };
		for (const name of [
			"emit-history/comment-1.meta",
			"emit-history/notes.txt",
			"reemit-backoff/comment-1.ts",
			"alert-history/alert-x.meta",
		])
			rig.files.seed(at(name), "x", old);
		rig.files.seed(at("emit-history/comment-2.meta"), "x");
		await rig.prune();
		expect(rig.files.paths(at("emit-history"))).toEqual([
			at("emit-history/comment-2.meta"),
			at("emit-history/notes.txt"),
		]);
		expect(rig.files.paths(at("reemit-backoff"))).toEqual([]);
		expect(rig.files.paths(at("alert-history"))).toEqual([]);
	});

	const small = {
		"monitor.scheduler.log_max_bytes": 10,
		"monitor.state_log_max_bytes": 10,
	} as const;

	test("keeps the evidence of dialogs and follow-ups for a week, to the second", async () => {
		const rig = emitRig();
		const week = 7 * 86_400;
		for (const folder of ["unstick", "paste-verdicts"])
			for (const [name, age] of [
				["old", week + 1],
				["young", week],
			] as const)
				rig.files.seed(at(`${folder}/${name}`), "x", {
					mtime: rig.clock.now() - age,
				});
		await rig.prune();
		for (const folder of ["unstick", "paste-verdicts"])
			expect(rig.files.paths(at(folder))).toEqual([at(`${folder}/young`)]);
	});

	test("rotates logs at their limit; watcher.log keeps its inode", async () => {
		const rig = emitRig({ config: small });
		const names = [
			"watcher-scheduler.jsonl",
			"functional-check.tsv",
			"action-log.jsonl",
			"watcher.log",
		];
		for (const name of names) rig.files.seed(at(name), "0123456789");
		const inode = rig.files.stat(at("watcher.log"));
		await rig.prune();
		const now = rig.clock.now();
		for (const name of names)
			expect(rig.files.text(at(`${name}.${now}`))).toBe("0123456789");
		expect(rig.files.text(at("watcher.log"))).toBe("");
		const after = rig.files.stat(at("watcher.log"));
		expect(after.kind === "ok" && after.stat.ino).toBe(
			inode.kind === "ok" && inode.stat.ino,
		);
		expect(rig.files.has(at("action-log.jsonl"))).toBe(false);
	});

	test("leaves logs below their limit, and all of them when it is 0", async () => {
		const rig = emitRig({ config: { "monitor.state_log_max_bytes": 0 } });
		rig.files.seed(at("watcher.log"), "x".repeat(1000));
		rig.files.seed(at("watcher-scheduler.jsonl"), "x");
		await rig.prune();
		expect(rig.files.paths(STATE)).toEqual([
			at("watcher-scheduler.jsonl"),
			at("watcher.log"),
		]);
	});

	test("empties no log whose copy failed", async () => {
		const rig = emitRig({ config: small });
		rig.files.seed(at("watcher.log"), "0123456789");
		rig.files.faults.fail({
			path: /watcher\.log\./,
			ops: ["write"],
			code: "ENOSPC",
		});
		await rig.prune();
		expect(rig.files.text(at("watcher.log"))).toBe("0123456789");
	});

	test("drops rotations beyond the retention", async () => {
		const rig = emitRig();
		const now = rig.clock.now();
		rig.files.seed(at(`watcher.log.${now - 8 * 86_400}`), "x");
		rig.files.seed(at(`watcher.log.${now - 6 * 86_400}`), "x");
		await rig.prune();
		expect(rig.files.paths(STATE)).toEqual([
			at(`watcher.log.${now - 6 * 86_400}`),
		]);
	});

	test("keeps the newest handled comments", async () => {
		const rig = emitRig({
			config: { "monitor.processed_comments_max_entries": 2 },
		});
		rig.files.seed(at("processed-comments.txt"), "a\nb\nc\n");
		await rig.prune();
		expect(rig.state("processed-comments.txt")).toBe("b\nc\n");
	});

	test("with nothing there does nothing", async () => {
		const rig = emitRig();
		expect(await rig.prune()).toEqual({ rc: 0 });
		expect(rig.files.paths(STATE)).toEqual([]);
	});
});
