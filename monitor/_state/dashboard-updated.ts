/** `dashboard-updated.ts` (a time stamp, not code): ISO time of the last dashboard put from this host (contract 05 §10). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";

function dashboardUpdatedPath(stateDir: string): string {
	return join(stateDir, "dashboard-updated.ts");
}

/** The first line as it stands, whether or not it is a time; null when there is none. */
export function readDashboardUpdated(
	doors: StateDoors,
	stateDir: string,
): string | null {
	const path = dashboardUpdatedPath(stateDir);
	const read = readState(doors, stateDir, path, firstLine);
	return read.kind === "ok" ? read.value : null;
}

function firstLine(text: string): string | null {
	const [line = ""] = text.split("\n", 1);
	return line.trim() === "" ? null : line.trim();
}

/** After a put that was seen to land, and after nothing else. `iso`: local time with its offset. */
export function writeDashboardUpdated(
	files: Files,
	stateDir: string,
	iso: string,
): WriteResult {
	return files.writeAtomic(dashboardUpdatedPath(stateDir), `${iso}\n`);
}
