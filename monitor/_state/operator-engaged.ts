/**
 * `operator-engaged.tsv`, `<window>\t<since>\t<last>\t<prompt_seen>\t<src>\t<reminded>`: windows in which the operator
 * himself works (contract 03 §12.2, §12.3). All times in epoch seconds, 0 = never.
 */
import { join } from "node:path";
import { ageSeconds } from "../_sys/age.ts";
import type { Files, WriteResult } from "../_sys/doors.ts";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, type RowsRead, readRows, writeRows } from "./rows-file.ts";

export interface OperatorMark {
	/** When the episode began; 0 = no mark. */
	readonly since: number;
	/** Last sign of the operator. */
	readonly last: number;
	/** The newest submitted prompt that was attributed to somebody. */
	readonly promptSeen: number;
	readonly src: string;
	/** When the orchestrator was last reminded that the operator is away. */
	readonly reminded: number;
}
export interface OperatorRow extends OperatorMark {
	readonly window: string;
}

export const NO_MARK: OperatorMark = {
	since: 0,
	last: 0,
	promptSeen: 0,
	src: "",
	reminded: 0,
};

export function operatorEngagedPath(stateDir: string): string {
	return join(stateDir, "operator-engaged.tsv");
}

/** A missing sixth column reads 0. */
export function parseOperatorRow(line: string): OperatorRow | null {
	const [window, since, last, promptSeen, src, reminded = "0"] =
		line.split("\t");
	const times = [since, last, promptSeen, reminded].map(digits);
	if (!window || src === undefined || times.includes(null)) return null;
	const [a, b, c, d] = times;
	return {
		window,
		since: a ?? 0,
		last: b ?? 0,
		promptSeen: c ?? 0,
		src,
		reminded: d ?? 0,
	};
}

/** One row a window; of several the last counts. */
export function readOperatorEngaged(
	doors: StateDoors,
	stateDir: string,
): RowsRead<OperatorRow> {
	return readRows(
		doors,
		stateDir,
		operatorEngagedPath(stateDir),
		parseOperatorRow,
	);
}

/** An unchanged file is left alone; no rows, no file. */
export function writeOperatorEngaged(
	files: Files,
	stateDir: string,
	rows: readonly OperatorRow[],
): WriteResult {
	return writeRows(
		files,
		operatorEngagedPath(stateDir),
		rows.map((r) =>
			[r.window, r.since, r.last, r.promptSeen, r.src, r.reminded]
				.map(column)
				.join("\t"),
		),
	);
}

/** What else decides whether a mark still holds; epoch seconds, null = never. */
export interface MarkFacts {
	readonly spawnAt: number | null;
	readonly engagedDoneAt: number | null;
	/** When the pane last showed something new. */
	readonly changeAt: number | null;
	readonly now: number;
	/** `monitor.operator_engaged_change_ttl_seconds`. */
	readonly changeTtlSeconds: number;
}

/**
 * Does the mark hold? Pure. A wrap-up does not end it, a pane that stands still does. In doubt it does not hold: a
 * released window can be respawned, a wrongly held one lingers for ever.
 */
export function isMarked(mark: OperatorMark, f: MarkFacts): boolean {
	if (mark.since <= 0 || mark.last <= 0) return false;
	if (mark.since < (f.engagedDoneAt ?? 0)) return false;
	if ((f.spawnAt ?? 0) > mark.since) return false;
	const still = ageSeconds(f.now, f.changeAt || null, f.changeTtlSeconds);
	return still !== null && still <= f.changeTtlSeconds;
}
