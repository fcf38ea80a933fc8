/** `functional-check.tsv`: verdicts on whether the bot reacts to what it is told, a row a check (contract 02 §13). */
import { join } from "node:path";
import type { Clock, Files } from "../_sys/doors.ts";

export interface CheckRow {
	readonly emits: number;
	readonly processed: number;
	readonly stale: number;
	/** A word. */
	readonly decision: string;
}

export function functionalCheckPath(stateDir: string): string {
	return join(stateDir, "functional-check.tsv");
}

/** Best effort. */
export function appendCheckRow(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	row: CheckRow,
): void {
	files.append(
		functionalCheckPath(stateDir),
		renderCheckRow(clock.now(), row),
		{ mode: 0o640 },
	);
}

function renderCheckRow(
	now: number,
	{ emits, processed, stale, decision }: CheckRow,
): string {
	return `${[now, emits, processed, stale, decision].join("\t")}\n`;
}
