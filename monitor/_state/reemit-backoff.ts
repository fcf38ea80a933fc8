/** `reemit-backoff/<stem>.ts`: when a comment of another repository was last delivered, whatever its text (contract 02 §10, hop 7). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { type StampFolder, writeStamp } from "./stamp-folder.ts";

/** For pruning; stamps that were set aside as damaged grow old like the others. */
export function reemitBackoff(stateDir: string): StampFolder {
	return {
		dir: join(stateDir, "reemit-backoff"),
		isStamp: (name) => /\.ts(?:\.damaged\.\d+)?$/.test(name),
	};
}

/** Epoch seconds; null: nothing to damp by. */
export function readReemitStamp(
	doors: StateDoors,
	stateDir: string,
	stem: string,
): number | null {
	const read = readState(doors, stateDir, pathOf(stateDir, stem), (text) =>
		digits(text.trim()),
	);
	return read.kind === "ok" ? read.value : null;
}

/** `at` in epoch seconds. Best effort. */
export function writeReemitStamp(
	files: Files,
	stateDir: string,
	stem: string,
	at: number,
): void {
	writeStamp(files, pathOf(stateDir, stem), `${at}\n`);
}

function pathOf(stateDir: string, stem: string): string {
	return join(reemitBackoff(stateDir).dir, `${stem}.ts`);
}
