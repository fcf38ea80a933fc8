/** `dashboard.md`: the dashboard as it was last fetched or put from here (contract 05 §10.4). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";

export function dashboardCachePath(stateDir: string): string {
	return join(stateDir, "dashboard.md");
}

/** `middle` is what stands between the markers of the text. */
export function writeDashboardCache(
	files: Files,
	stateDir: string,
	middle: string,
): WriteResult {
	files.mkdir(stateDir);
	return files.writeAtomic(dashboardCachePath(stateDir), middle);
}
