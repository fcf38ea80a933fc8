/** What the report of a wrap-up lacks (contract 03 §12.5, row 13). */
import { basename, dirname, join } from "node:path";
import { checkReport } from "../../_state/report.ts";
import type { Doors } from "../../_sys/doors.ts";

type ReportDoors = Pick<Doors, "files" | "proc">;

/** Looks below the root first, then in the nearest `reports/` above the working directory. One that cannot be found or read lacks nothing. */
export function reportProblems(
	doors: ReportDoors,
	root: string,
	report: string,
	minBytes: number,
): readonly string[] {
	const name = basename(report);
	for (const dir of reportDirs(doors, root)) {
		const read = doors.files.read(join(dir, name));
		if (read.kind === "ok")
			return checkReport(read.text, { minBytes }).problems;
		if (read.kind === "unreadable") return [];
	}
	return [];
}

function reportDirs({ proc }: ReportDoors, root: string): readonly string[] {
	const dirs = [join(root, "reports")];
	const cwd = proc.cwd(proc.pid);
	if (cwd.kind !== "ok") return dirs;
	for (let dir = cwd.value; ; dir = dirname(dir)) {
		dirs.push(join(dir, "reports"));
		if (dir === dirname(dir)) return dirs;
	}
}
