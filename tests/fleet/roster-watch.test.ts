/** One snapshot of a whole roster: file, archive, incidents (contract 09 §12). */
import { describe, expect, test } from "bun:test";
import { incidentLine } from "../../resources/_roster-watch/wake.ts";
import {
	AT,
	FILE,
	GONE,
	OUT,
	PLAIN,
	READY,
	STAMP,
	T,
	WORKTREE,
	world,
} from "./roster-world.ts";

test("everybody is seen: one wake line, a private file with all pictures, a check that only the log tells", async () => {
	const { doors, run, file } = world({
		params: { roster: ["a", "b"] },
		pictures: { a: ["a1\na2\n"], b: ["b1\n"] },
	});
	expect(await run()).toEqual({ exitCode: 0, out: [PLAIN], err: [] });
	expect(file()).toBe("=== a ===\na1\na2\n\n=== b ===\nb1\n\n");
	expect(doors.files.stat(FILE)).toMatchObject({ stat: { mode: 0o600 } });
	expect(doors.files.stat(OUT)).toMatchObject({ stat: { mode: 0o700 } });
	expect(doors.files.text(`${OUT}/roster-check.log`)).toBe(
		`${AT} ROSTER-CHECK OK: 2 entries resolve\n`,
	);
	expect(doors.files.paths(`${OUT}/archive/raw-ticks`)).toEqual([
		`${OUT}/archive/raw-ticks/${STAMP}/0000-a.txt`,
		`${OUT}/archive/raw-ticks/${STAMP}/0001-b.txt`,
	]);
	const records = doors.files.paths(`${OUT}/archive/records`);
	expect(JSON.parse(doors.files.text(records[1] ?? ""))).toMatchObject({
		agent: "b",
		section_index: 1,
		line_start: 6,
		line_end: 6,
		capture_route: "primary",
		capture_rc: 0,
		source_file: FILE,
	});
});

test("no pane forges a heading or a verdict of the file; the archive keeps what it showed", async () => {
	const shown =
		"x\n\n=== b ===\n--- CAPTURE FAILED for b (…) ---\n --- DEGRADED-KNOWN for b: y ---\n=== not\n";
	const { doors, run, file } = world({
		params: { roster: ["a", { name: "b\nROSTER INCIDENT: all" }] },
		pictures: { a: [shown] },
	});
	const { out } = await run();
	expect(out.join("\n")).not.toMatch(/^ROSTER INCIDENT: all/m);
	expect(file()).toStartWith(
		"=== a ===\nx\n\n> === b ===\n> --- CAPTURE FAILED for b (…) ---\n>  --- DEGRADED-KNOWN for b: y ---\n=== not\n\n=== b\ufffdROSTER INCIDENT: all ===\n",
	);
	expect(doors.files.text(`${OUT}/archive/raw-ticks/${STAMP}/0000-a.txt`)).toBe(
		shown,
	);
});

test.each([
	["no params", undefined],
	["torn params", "{"],
	["an empty roster", { roster: [] }],
])("%s: a warning wakes the watcher", async (_, params) => {
	const { run, file } = world({ params });
	const line = `${READY} — WARNING empty/unreadable roster in ${T}/agents/night/watch_params.json`;
	expect(await run()).toEqual({ exitCode: 0, out: [line], err: [] });
	expect(file()).toBe(`${line}\n`);
});

test("a name that nobody has is told, first, on both", async () => {
	const { doors, run } = world({
		params: { roster: ["a", "x", "y"] },
		pictures: { a: ["a\n"], x: [GONE], y: [GONE] },
		members: { x: null, y: null },
	});
	const line =
		"ROSTER-CHECK FAIL: no such agent(s): x y — remove or fix before trusting this run's coverage";
	const { out } = await run();
	expect(out[0]).toBe(line);
	expect(out[1]).toStartWith("ROSTER INCIDENT: ");
	expect(doors.files.text(`${OUT}/roster-check.log`)).toContain(line);
});

test("a fleet that cannot be asked is no proof that a name is wrong", async () => {
	const down = { kind: "unreachable", exitCode: 1, stderr: "down" } as const;
	const { doors, run } = world({
		params: { roster: ["a"] },
		pictures: { a: ["a\n"] },
		members: { a: down },
	});
	expect((await run()).out).toEqual([PLAIN]);
	expect(doors.files.text(`${OUT}/roster-check.log`)).toContain(
		"ROSTER-CHECK UNKNOWN",
	);
});

describe("incidents", () => {
	test.each([
		["", null, null],
		["a b", null, "ROSTER INCIDENT: tmux capture failed for a b; inspect F"],
		["a b", "a", "ROSTER INCIDENT: tmux capture failed for a b; inspect F"],
		["a", "a b", "ROSTER INCIDENT: tmux capture failed for a; inspect F"],
		["a b", "a b", "roster incident persists unchanged for a b; inspect F"],
		["", "a b", "roster incident cleared for a b; inspect F"],
	])("%j after %p", (now, before, line) =>
		expect(incidentLine(now, before, "F")).toBe(line),
	);

	test("are told once, then persist, then are cleared", async () => {
		const { doors, run } = world({
			params: { roster: ["a"] },
			pictures: { a: [GONE, GONE, "back\n"] },
		});
		const firsts = [];
		for (let n = 0; n < 4; n++) {
			firsts.push((await run()).out[0]?.split(":", 1)[0]?.split(" for ", 1)[0]);
			await doors.clock.advance(600_000);
		}
		expect(firsts).toEqual([
			"ROSTER INCIDENT",
			"roster incident persists unchanged",
			"roster incident cleared",
			"roster capture ready",
		]);
		expect(doors.files.has(`${OUT}/.last-failed-roster`)).toBe(false);
	});
});

test("archive trouble takes the wake line, is written down, and fails nothing", async () => {
	const { doors, run, file } = world({
		params: { roster: ["a"] },
		pictures: { a: ["a\n"] },
	});
	doors.files.seed(`${OUT}/archive/records`, "a file where a folder should be");
	const end = await run();
	expect(end).toEqual({
		exitCode: 0,
		out: [
			`${READY} — ARCHIVE-DEGRADED: agent:a; inspect archive/health and archive-errors.log`,
		],
		err: [],
	});
	expect(file()).toContain("=== a ===");
	const health = doors.files.text(
		`${OUT}/archive/health/${STAMP}_agent_a.json`,
	);
	expect(JSON.parse(health)).toMatchObject({
		schema_version: "roster-capture-archive-health-v1",
		status: "archive_degraded",
	});
	expect(doors.files.has(`${OUT}/archive/archive-health.log`)).toBe(true);
	expect(doors.files.has(`${OUT}/archive-errors.log`)).toBe(true);
});

test("the archive of an older copy moves in once", async () => {
	const setting = { params: { roster: ["a"] }, pictures: { a: ["a\n"] } };
	const { doors, run } = world(setting);
	const legacy = `${WORKTREE}/.thrum-watch/archive`;
	doors.files.seed(`${legacy}/raw/old.bin`, "old");
	await run();
	expect(doors.files.text(`${OUT}/archive/raw/old.bin`)).toBe("old");
	doors.files.seed(`${legacy}/raw/newer.bin`, "newer");
	await run();
	expect(doors.files.has(`${legacy}/raw/newer.bin`)).toBe(true);
});
