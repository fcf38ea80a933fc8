/** `last-prelude.txt`, `<epoch>\t<counts>`: the last complete counts of the workspace (contract 01 §7.1). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";

export interface LastPrelude {
	readonly epoch: number;
	readonly text: string;
}

function lastPreludePath(stateDir: string): string {
	return join(stateDir, "last-prelude.txt");
}

/** Null without a time or without counts; only the first line is read. */
export function parseLastPrelude(text: string): LastPrelude | null {
	const [line = ""] = text.split("\n", 1);
	const tab = line.indexOf("\t");
	const epoch = digits(line.slice(0, Math.max(0, tab)));
	const counts = line.slice(tab + 1);
	return epoch === null || counts === "" ? null : { epoch, text: counts };
}

/** Null when there are none that can be read. */
export function readLastPrelude(
	doors: StateDoors,
	stateDir: string,
): LastPrelude | null {
	const path = lastPreludePath(stateDir);
	const read = readState(doors, stateDir, path, parseLastPrelude);
	return read.kind === "ok" ? read.value : null;
}

/** `epoch` in seconds: when they were counted. */
export function writeLastPrelude(
	files: Files,
	stateDir: string,
	{ epoch, text }: LastPrelude,
): WriteResult {
	return files.writeAtomic(lastPreludePath(stateDir), `${epoch}\t${text}\n`);
}
