/** `overview-number`: number of the overview issue, once it was found by its label (contract 05 §10.1). Digits without a line end. */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";

function overviewNumberPath(stateDir: string): string {
	return join(stateDir, "overview-number");
}

/** Null: look it up anew. What is no number has been reported and set aside. */
export function readOverviewNumber(
	doors: StateDoors,
	stateDir: string,
): string | null {
	const path = overviewNumberPath(stateDir);
	const read = readState(doors, stateDir, path, (text) =>
		/^[1-9]\d{0,14}$/.test(text.trim()) ? text.trim() : null,
	);
	return read.kind === "ok" ? read.value : null;
}

/** `number` is its digits. */
export function writeOverviewNumber(
	files: Files,
	stateDir: string,
	number: string,
): WriteResult {
	files.mkdir(stateDir);
	return files.writeAtomic(overviewNumberPath(stateDir), number);
}
