/** `dashboard-updated.ts` (a time stamp, not code): ISO time of the last dashboard put from this host (contract 05 §10). */
import { join } from "node:path";
import { readState, type StateDoors } from "./damaged.ts";

export function dashboardUpdatedPath(stateDir: string): string {
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
