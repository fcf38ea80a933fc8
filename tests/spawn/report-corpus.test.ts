import { expect, test } from "bun:test";
import { findReport, listReports } from "../../monitor/_state/report-corpus.ts";
import { fakeDoors } from "../fakes/doors.ts";

const NEW = "p_2026-03-01_120000_new.md";
const OLD = "p_2026-01-05_120000_old.md";

function corpus() {
	const { files } = fakeDoors();
	for (const path of [
		NEW,
		`2026-01/${OLD}`,
		"plain.md",
		"2026-01x/no.md",
		".hidden.md",
		"notes.txt",
	])
		files.seed(`/r/${path}`, "");
	return files;
}

test("reports are listed newest first, archives included, those without a date last", () => {
	const listed = listReports(corpus(), "/r") ?? [];
	expect(listed.map((r) => r.path)).toEqual([
		`/r/${NEW}`,
		`/r/2026-01/${OLD}`,
		"/r/plain.md",
	]);
});

test("no folder holds none; a folder that cannot be listed is not empty", () => {
	const files = corpus();
	expect(listReports(files, "/none")).toEqual([]);
	files.faults.fail({ path: "/r", ops: ["list"], code: "EIO" });
	expect(listReports(files, "/r")).toBeNull();
});

test.each([
	[NEW, `/r/${NEW}`],
	[OLD, `/r/2026-01/${OLD}`],
	[`/elsewhere/${OLD}`, `/r/2026-01/${OLD}`],
	["plain.md", "/r/plain.md"],
	["p_2026-02-01_000000_gone.md", null],
])("%s is found at %p", (name, path) => {
	expect(findReport(corpus(), "/r", name)).toBe(path);
});
