/** Which windows are workers (contract 03 §12.3). Pure. */
import type { PaneRow } from "../_sys/doors.ts";

export interface WorkerRules {
	/** The window that gets the reports. */
	readonly target: string;
	readonly servicesWindow: string;
	/** Names of the services registry: their windows are looked after elsewhere. */
	readonly services: ReadonlySet<string>;
}

/** Windows of the house itself, whatever else they are called. */
const HOUSE: ReadonlySet<string> = new Set([
	"watcher",
	"claude",
	"orchestrator",
	"monitor",
]);

/** The operator's notifier opens windows with such names to ring. */
const BELL_PREFIX = "•";

/** By name alone: not a bell's, the orchestrator's, the services', nor one of the house. */
export function isWorkerName(window: string, rules: WorkerRules): boolean {
	return (
		window !== "" &&
		!window.startsWith(BELL_PREFIX) &&
		window !== rules.target &&
		window !== rules.servicesWindow &&
		!HOUSE.has(window) &&
		!rules.services.has(window)
	);
}

/**
 * The active pane of each worker's window, in the order of the rows. Of two windows with one name the first that is no
 * corpse stands for the worker: everything that is known of it hangs on the name.
 */
export function listWorkers(
	rows: readonly PaneRow[],
	rules: WorkerRules,
): readonly PaneRow[] {
	const byName = new Map<string, PaneRow>();
	for (const row of rows) {
		if (!row.paneActive || !isWorkerName(row.windowName, rules)) continue;
		const known = byName.get(row.windowName);
		if (known === undefined || (isCorpse(known) && !isCorpse(row)))
			byName.set(row.windowName, row);
	}
	return [...byName.values()];
}

function isCorpse(row: PaneRow): boolean {
	return row.paneDead === "1";
}
