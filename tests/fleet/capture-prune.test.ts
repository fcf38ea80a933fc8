import { expect, test } from "bun:test";
import { ok } from "../../monitor/_fleet/failure.ts";
import { pruneCaptures } from "../../monitor/_state/fleet/capture-prune.ts";
import { captureDir } from "../../monitor/_state/fleet/watch-captures.ts";
import { runArchive } from "../../resources/_capture-archive/run.ts";
import { runRosterPass } from "../../resources/_roster-watch/pass.ts";
import { fakeDoors } from "../fakes/doors.ts";
import { memberOf, seen, stubFleet } from "./stub-fleet.ts";

const T = "/srv/app/.thrum";
const DIR = captureDir(T, "night");
const DAY = 86_400;

/** Passes of three days over a pane that changes each time and one that never does. */
async function threeDays() {
	const doors = fakeDoors({ auto: true });
	doors.files.seed(
		`${T}/agents/night/watch_params.json`,
		JSON.stringify({ roster: ["busy", "calm"] }),
	);
	for (const day of [0, 1, 2]) {
		if (day > 0) await doors.clock.advance(DAY * 1000);
		const fleet = stubFleet(
			{ busy: [seen(`day ${day}\n`)], calm: [seen("❯ \n")] },
			{
				team: async () => ok([memberOf("busy"), memberOf("calm")]),
				member: async (name) => ok(memberOf(name)),
			},
		);
		await runRosterPass({
			...{ doors, thrumDir: T, agent: "night", worktree: "/w" },
			open: async () => ({ kind: "ok", fleet }) as const,
		});
	}
	const names = (folder: string) => {
		const listed = doors.files.list(`${DIR}/${folder}`);
		return listed.kind === "ok" ? listed.names : [];
	};
	return { doors, names };
}
const prune = (
	doors: Awaited<ReturnType<typeof threeDays>>["doors"],
	...more: string[]
) =>
	runArchive(doors, [
		...["prune", "--captures-dir", DIR, "--older-than", "1d"],
		...more,
	]);

test("what is older goes, and every picture that a record names stays", async () => {
	const { doors, names } = await threeDays();
	expect(names("archive/raw")).toHaveLength(4);
	await doors.clock.advance(DAY * 500);
	expect(prune(doors)).toMatchObject({ exitCode: 0 });
	expect(
		names(".").filter((n) => n.startsWith("roster-capture-")),
	).toHaveLength(1);
	for (const folder of ["raw-ticks", "source-records", "sources"])
		expect(names(`archive/${folder}`)).toHaveLength(1);
	const records = names("archive/records");
	expect(records).toHaveLength(2);
	expect(names("archive/raw")).toHaveLength(2);
	for (const name of records) {
		const text = doors.files.text(`${DIR}/archive/records/${name}`);
		const { raw_response_blob: raw, source_blob: source } = JSON.parse(text);
		for (const blob of [raw, source])
			expect(doors.files.has(`${DIR}/archive/${blob}`)).toBe(true);
	}
});

test("a dry run says how much, and removes nothing", async () => {
	const { doors } = await threeDays();
	await doors.clock.advance(DAY * 500);
	const before = doors.files.paths(DIR);
	const said = JSON.parse(prune(doors, "--dry-run").out ?? "");
	expect(said).toMatchObject({ status: "dry_run", failed: 0 });
	expect(said.removed).toBeGreaterThan(6);
	expect(doors.files.paths(DIR)).toEqual(before);
});

test("what cannot be listed, or has a name of somebody else, stays", async () => {
	const { doors } = await threeDays();
	await doors.clock.advance(DAY * 30_000);
	doors.files.seed(`${DIR}/notes.txt`, "mine");
	const heal = doors.files.faults.fail({
		path: `${DIR}/archive/records`,
		ops: ["list"],
		code: "EACCES",
	});
	const before = doors.files.paths(DIR);
	expect(prune(doors).exitCode).toBe(1);
	expect(doors.files.paths(DIR)).toEqual(before);
	heal();
	expect(prune(doors).exitCode).toBe(0);
	expect(doors.files.has(`${DIR}/notes.txt`)).toBe(true);
});

test.each([
	["another folder", "/home/ana", "14d"],
	["less than a day", DIR, "23h"],
	["no age", DIR, "all"],
])("%s is refused", (_, dir, age) => {
	const argv = ["prune", "--captures-dir", dir, "--older-than", age];
	expect(runArchive(fakeDoors(), argv).exitCode).toBe(2);
});

test("where nothing is, nothing is to be done", () => {
	const { files } = fakeDoors();
	const nothing = { removed: [], failed: [] };
	expect(pruneCaptures(files, DIR, 1e15, false)).toEqual(nothing);
});
