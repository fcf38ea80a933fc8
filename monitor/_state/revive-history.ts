/** `watcher-revive-history.txt`: one epoch a line, for the burst guard of revive (contract 01 §16.3). */
import { join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { digits } from "./kv.ts";

function reviveHistoryPath(stateDir: string): string {
	return join(stateDir, "watcher-revive-history.txt");
}

/** Null = could not look. A line that is no number costs only itself. */
export function readReviveHistory(
	files: Files,
	stateDir: string,
): readonly number[] | null {
	const read = files.read(reviveHistoryPath(stateDir));
	if (read.kind === "unreadable") return null;
	return read.kind === "absent" ? [] : parseReviveHistory(read.text);
}

/** Epoch seconds in file order; other lines are skipped. */
export function parseReviveHistory(text: string): readonly number[] {
	return text
		.split("\n")
		.map((line) => digits(line.trim()))
		.filter((epoch) => epoch !== null);
}

/** `epoch` in seconds. */
export function appendRevive(
	files: Files,
	stateDir: string,
	epoch: number,
): WriteResult {
	return files.append(reviveHistoryPath(stateDir), `${epoch}\n`);
}
