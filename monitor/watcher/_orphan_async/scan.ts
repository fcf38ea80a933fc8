/** Finds the workers that wait for outside work with nobody to wake them (contract 08 §4.3). */
import { parseLine } from "../../_pane/line.ts";
import type { Sweep } from "../../_pane/sweep.ts";
import { listWorkers, type WorkerRules } from "../../_pane/workers.ts";
import { changeOrphanRows } from "../../_state/orphan-async.ts";
import type { Doors } from "../../_sys/doors.ts";
import { type OrphanSettings, type SeenWorker, scanRows } from "./decide.ts";

/** Null: nobody could look, and every row stays. */
export function seenWorkers(
	sweep: Sweep,
	rules: WorkerRules,
): readonly SeenWorker[] | null {
	if (sweep.kind !== "ok") return null;
	const lines = new Map(
		sweep.panes.map((pane) => [pane.row.paneId, pane.line]),
	);
	const rows = sweep.panes.map((pane) => pane.row);
	return listWorkers(rows, rules).map(({ paneId, windowName }) => {
		const reading = parseLine(lines.get(paneId) ?? "");
		return {
			window: windowName,
			state: reading?.state ?? null,
			waits: reading?.get("orphan_kinds") ?? null,
		};
	});
}

/** Exit code 1 when the rows could not be read or written: then nothing was changed. */
export function recordScan(
	doors: Doors,
	stateDir: string,
	seen: readonly SeenWorker[],
	settings: OrphanSettings,
): { readonly rc: number } {
	const now = doors.clock.now();
	const done = changeOrphanRows(doors, stateDir, (rows) =>
		scanRows(rows, seen, now, settings),
	);
	return { rc: done.kind === "ok" ? 0 : 1 };
}
