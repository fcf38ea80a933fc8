import { describe, expect, test } from "bun:test";
import { readReportsRollLastDay } from "../../monitor/_state/reports-roll-last-day.ts";
import { readReportsRollNotice } from "../../monitor/_state/reports-roll-notice.ts";
import { rollByHand } from "../../monitor/watcher/_reports_roll/cli.ts";
import { reportsRollTask } from "../../monitor/watcher/_reports_roll.ts";
import { watcherConfig } from "../config/watcher-config.ts";
import { type FakeDoors, fakeDoors } from "../fakes/doors.ts";
import { STATE, watcherContext } from "../watcher/watcher-rig.ts";

const DIR = "/root/reports";
/** 2026-05-11, noon. */
const NOW = Date.parse("2026-05-11T12:00:00Z") / 1000;

function withReports(): FakeDoors {
	const doors = fakeDoors({ now: NOW, auto: true });
	const seed = (name: string, text = "x\n", age = 9999) =>
		doors.files.seed(`${DIR}/${name}`, text, { mtime: NOW - age });
	seed("2026-03-14-old.md");
	seed("2026-04-30-last-month.md");
	seed("2026-05-01-new.md");
	seed("dated-inside.md", "---\ndate: 2025-11-02\n---\n");
	seed("no-date.md");
	seed("2026-99-01-impossible.md");
	seed("2026-02-02-young.md", "x\n", 10);
	seed("2026-02-03-notes.txt");
	seed("2026-01/2026-01-05-there.md", "first\n");
	seed("2026-01-05-there.md", "second\n");
	doors.files.seedDir(`${DIR}/2026-02-04-folder.md`);
	doors.files.seedLink("/elsewhere.md", `${DIR}/2026-02-05-link.md`);
	return doors;
}

async function byHand(
	doors: FakeDoors,
	argv: readonly string[],
	over: {
		readonly root?: string;
		readonly cwd?: string;
		readonly minAge?: number;
	} = {},
) {
	const out: string[] = [];
	const err: string[] = [];
	const rc = await rollByHand(argv, {
		files: doors.files,
		clock: doors.clock,
		cwd: "/somewhere",
		root: "/root",
		minAge: 300,
		...over,
		// All words, as a terminal would get them.
		out: (...words: readonly string[]) => out.push(words.join(" ")),
		err: (line) => err.push(line),
	});
	return { rc, out, err };
}

const SUMMARY = `reports-roll.ts: rolled 2, kept-flat 2 (buffer: 2026-04 + 2026-05), quarantined 2, in-flight 1, skipped 1  [${DIR}]`;

describe("by hand", () => {
	test("old reports move to their month, the rest stays, and each is accounted for", async () => {
		const doors = withReports();
		expect(await byHand(doors, [])).toEqual({
			rc: 0,
			err: [],
			out: [
				"quarantine (no valid date): 2026-99-01-impossible.md",
				"quarantine (no valid date): no-date.md",
				"skip (modified 10s ago): 2026-02-02-young.md",
				"skip (2026-01/ has one of that name): 2026-01-05-there.md",
				"rolled: 2026-03-14-old.md -> 2026-03/",
				"rolled: dated-inside.md -> 2025-11/",
				SUMMARY,
			],
		});
		expect(doors.files.text(`${DIR}/2026-03/2026-03-14-old.md`)).toBe("x\n");
		expect(doors.files.has(`${DIR}/2026-03-14-old.md`)).toBe(false);
		expect(doors.files.text(`${DIR}/2026-01/2026-01-05-there.md`)).toBe(
			"first\n",
		);
		expect(doors.files.text(`${DIR}/2026-01-05-there.md`)).toBe("second\n");
	});

	test("a second run moves nothing", async () => {
		const doors = withReports();
		await byHand(doors, []);
		expect((await byHand(doors, ["--quiet"])).out[0]).toContain("rolled 0, ");
	});

	test("--dry-run says what it would do and does nothing", async () => {
		const doors = withReports();
		const before = doors.files.paths();
		const { rc, out } = await byHand(doors, ["--dry-run"]);
		expect(rc).toBe(0);
		expect(out).toContain("would roll: 2026-03-14-old.md -> 2026-03/");
		expect(out.at(-1)).toBe(SUMMARY.replace("rolled 2", "would roll 2"));
		expect(doors.files.paths()).toEqual(before);
	});

	test("--quiet leaves the summary", async () => {
		expect((await byHand(withReports(), ["--quiet"])).out).toEqual([SUMMARY]);
	});

	test.each([
		[["--now", "2026-07-01"], "buffer: 2026-06 + 2026-07"],
		[["--now=2026-07-01"], "buffer: 2026-06 + 2026-07"],
		[["--now"], "buffer: 2026-04 + 2026-05"],
		[["--now", "--dry-run"], "would roll"],
	])(
		"%j counts from that day, a bare --now from today",
		async (argv, words) => {
			const { rc, out } = await byHand(withReports(), argv);
			expect(rc).toBe(0);
			expect(out.at(-1)).toContain(words);
		},
	);

	test.each([
		[["--nonsense"]],
		[["reports"]],
		[["--reports-dir"]],
		[["--now", "2026-13-01"]],
		[["--now", "20th"]],
	])("%j is a usage error", async (argv) => {
		const { rc, out, err } = await byHand(withReports(), argv);
		expect(rc).toBe(1);
		expect(out).toEqual([]);
		expect(err.join("\n")).toContain("usage: reports-roll");
	});

	test("a missing folder is exit 1", async () => {
		const answer = await byHand(withReports(), ["--reports-dir", "/gone"]);
		expect(answer).toEqual({
			rc: 1,
			out: [],
			err: ["reports-roll.ts: /gone: no such folder"],
		});
	});

	test("without a root the nearest reports/ above is taken, else the one below", async () => {
		const doors = withReports();
		const near = await byHand(doors, [], { root: "", cwd: "/root/work/a" });
		expect(near.out.at(-1)).toContain(`[${DIR}]`);
		const none = await byHand(doors, [], { root: "", cwd: "/tmp" });
		expect(none.err).toEqual(["reports-roll.ts: /tmp/reports: no such folder"]);
	});

	test("a report that cannot be moved is told, and the others still move", async () => {
		const doors = withReports();
		doors.files.faults.fail({
			path: `${DIR}/2026-03`,
			ops: ["mkdir"],
			code: "EACCES",
		});
		const { rc, out, err } = await byHand(doors, ["--quiet"]);
		expect(rc).toBe(1);
		expect(err[0]).toStartWith("reports-roll.ts: 2026-03-14-old.md: ");
		expect(out[0]).toContain("rolled 1, ");
		expect(out[0]).toContain("skipped 2");
	});

	test("a report that cannot be looked at stays", async () => {
		const doors = withReports();
		doors.files.faults.fail({
			path: `${DIR}/no-date.md`,
			ops: ["read"],
			code: "EIO",
		});
		const { rc, out } = await byHand(doors, []);
		expect(rc).toBe(0);
		expect(out.at(-1)).toContain("quarantined 1, in-flight 1, skipped 2");
	});
});

describe("the task", () => {
	const run = async (
		doors: FakeDoors,
		signal = new AbortController().signal,
	) => {
		doors.files.seedDir(STATE);
		const log: string[] = [];
		const task = reportsRollTask.make(watcherContext(doors));
		const result = await task({
			signal,
			afterGap: false,
			log: (line) => log.push(line),
			doors,
		});
		return { ...result, log };
	};

	test("rolls once a day and leaves a notice of what it moved", async () => {
		const doors = withReports();
		expect(await run(doors)).toEqual({ rc: 0, log: [] });
		expect(readReportsRollNotice(doors.files, STATE)?.text).toBe(
			`Auto-archived aged reports into monthly reports/YYYY-MM/ buckets.\n${SUMMARY}\n`,
		);
		expect(readReportsRollLastDay(doors.files, STATE)).toBe("2026-05-11");

		doors.files.seed(`${DIR}/2026-03-15-late.md`, "x\n", { mtime: NOW - 9999 });
		await run(doors);
		expect(doors.files.has(`${DIR}/2026-03-15-late.md`)).toBe(true);
		await doors.clock.advance(24 * 3600 * 1000);
		await run(doors);
		expect(doors.files.has(`${DIR}/2026-03-15-late.md`)).toBe(false);
	});

	test("what it moved stands in the log when no notice can be written", async () => {
		const doors = withReports();
		doors.files.faults.fail({ path: /reports-roll-notice/, code: "EIO" });
		const { log } = await run(doors);
		expect(log).toEqual([expect.stringContaining(SUMMARY)]);
	});

	test("a day without an old report leaves no notice", async () => {
		const doors = fakeDoors({ now: NOW, auto: true });
		doors.files.seed(`${DIR}/2026-05-01-new.md`, "x\n");
		await run(doors);
		expect(readReportsRollNotice(doors.files, STATE)).toBeNull();
		expect(readReportsRollLastDay(doors.files, STATE)).toBe("2026-05-11");
	});

	test("a failure is logged and tried again", async () => {
		const doors = fakeDoors({ now: NOW, auto: true });
		doors.files.seed(DIR, "a file where the folder should be\n");
		const failed = await run(doors);
		expect(failed.rc).toBe(1);
		expect(failed.log).toEqual([
			expect.stringContaining(`reports_roll: ${DIR}: `),
		]);
		expect(readReportsRollLastDay(doors.files, STATE)).toBeNull();
		doors.files.remove(DIR);
		doors.files.seedDir(DIR);
		expect((await run(doors)).rc).toBe(0);
		expect(readReportsRollLastDay(doors.files, STATE)).toBe("2026-05-11");
	});

	test("a fleet without any report yet is no failure, and the first reports are not made to wait a day", async () => {
		const doors = fakeDoors({ now: NOW, auto: true });
		expect(await run(doors)).toEqual({ rc: 0, log: [] });
		expect(readReportsRollLastDay(doors.files, STATE)).toBeNull();
	});

	test("an abort stops it before it moves anything", async () => {
		const doors = withReports();
		const before = doors.files.paths();
		expect((await run(doors, AbortSignal.abort())).rc).toBe(1);
		expect(doors.files.paths()).toEqual(before);
	});

	test("an abort stops it between two moves, and what was moved is told", async () => {
		const doors = fakeDoors({ now: NOW, auto: true });
		for (let n = 0; n < 60; n++)
			doors.files.seed(`${DIR}/2026-01-05-${n}.md`, "x\n", {
				mtime: NOW - 9999,
			});
		const stop = new AbortController();
		doors.files.faults.before((_op, path) => {
			if (path === `${DIR}/2026-01`) stop.abort();
		});
		expect((await run(doors, stop.signal)).rc).toBe(1);
		expect(readReportsRollNotice(doors.files, STATE)?.text).toContain(
			": rolled 1, ",
		);
		expect(readReportsRollLastDay(doors.files, STATE)).toBeNull();
	});

	test("the loop breathes between fifty moves and the next", async () => {
		const doors = fakeDoors({ now: NOW, auto: true });
		for (let n = 0; n < 120; n++)
			doors.files.seed(`${DIR}/2026-01-05-${n}.md`, "x\n", {
				mtime: NOW - 9999,
			});
		const { sleep } = doors.clock;
		let inARow = 0;
		let most = 0;
		doors.clock.sleep = (ms, signal) => {
			inARow = 0;
			return sleep(ms, signal);
		};
		doors.files.faults.before((op) => {
			if (op === "mkdir") most = Math.max(most, ++inARow);
		});
		expect((await run(doors)).rc).toBe(0);
		expect(most).toBe(50);
	});

	test("its switch and its cadence are the configuration's", () => {
		const { enabled, intervalSeconds } = reportsRollTask;
		expect(enabled?.(watcherConfig())).toBe(true);
		expect(
			enabled?.(watcherConfig({ "monitor.reports_roll.enabled": false })),
		).toBe(false);
		expect(intervalSeconds(watcherConfig())).toBe(3600);
	});
});
