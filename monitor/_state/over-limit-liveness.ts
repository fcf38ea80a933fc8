/** `over-limit-liveness.tsv`, `<key>\t<epoch>\t<reason>`: panes that were seen to go on after a limit (contract 04 §9.3). */
import { join } from "node:path";
import type { StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { column, readRows, writeRows } from "./rows-file.ts";

export interface LimitLiveness {
	readonly key: string;
	/** Epoch seconds. */
	readonly at: number;
	readonly reason: string;
}

function overLimitLivenessPath(stateDir: string): string {
	return join(stateDir, "over-limit-liveness.tsv");
}

function parseLiveness(line: string): LimitLiveness | null {
	const [key = "", epoch, reason = ""] = line.split("\t");
	const at = digits(epoch);
	return key === "" || at === null ? null : { key, at, reason };
}

/** When the pane was last seen to have resumed, epoch seconds; null: never. */
export function resumedAt(
	doors: StateDoors,
	stateDir: string,
	key: string,
): number | null {
	const row = rowsOf(doors, stateDir).find((r) => r.key === key);
	return row?.reason === "resumed" ? row.at : null;
}

/** Rows older than `keepSeconds` go: they suppress nothing any more. */
export function writeResumed(
	doors: StateDoors,
	stateDir: string,
	key: string,
	now: number,
	keepSeconds: number,
): void {
	const others = rowsOf(doors, stateDir).filter(
		(row) => row.key !== key && now - row.at <= keepSeconds,
	);
	const rows = [...others, { key, at: now, reason: "resumed" }];
	writeRows(
		doors.files,
		overLimitLivenessPath(stateDir),
		rows.map((row) => [row.key, row.at, row.reason].map(column).join("\t")),
	);
}

function rowsOf(doors: StateDoors, stateDir: string): readonly LimitLiveness[] {
	const path = overLimitLivenessPath(stateDir);
	const read = readRows(doors, stateDir, path, parseLiveness);
	return read.kind === "ok" ? read.rows : [];
}
