/** `engagement-log.tsv`, `<window>\t<epoch>`: since when a worker has nothing to do; ages are counted from it (contract 03 §12.2). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface Engagement {
	readonly window: string;
	/** Epoch seconds. */
	readonly at: number;
}

export function engagementLogPath(stateDir: string): string {
	return join(stateDir, "engagement-log.tsv");
}

function parseEngagement(line: string): Engagement | null {
	const [window, epoch] = line.split("\t");
	const at = digits(epoch);
	return window && at !== null ? { window, at } : null;
}

/** One row a window; of several the last counts. */
export function readEngagementLog(
	doors: StateDoors,
	stateDir: string,
): RowsRead<Engagement> {
	return readRows(
		doors,
		stateDir,
		engagementLogPath(stateDir),
		parseEngagement,
	);
}

/** Epoch seconds. An unchanged file is left alone; no rows, no file. */
export function writeEngagementLog(
	files: Files,
	stateDir: string,
	rows: readonly Engagement[],
): WriteResult {
	return writeRows(
		files,
		engagementLogPath(stateDir),
		rows.map(({ window, at }) => `${column(window)}\t${at}`),
	);
}
