/** `processed-comments.txt`: comments and issues that were handled, in the order of handling (contract 02 §9). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";

export function processedCommentsPath(stateDir: string): string {
	return join(stateDir, "processed-comments.txt");
}

/** The newest `max` lines; 0 keeps all. */
export function newestEntries(text: string, max: number): string {
	const lines = text.split("\n").filter((line) => line !== "");
	const kept = max > 0 ? lines.slice(-max) : lines;
	return kept.map((line) => `${line}\n`).join("");
}

/** Leaves a file within the limit, and one that cannot be read, alone. */
export function trimProcessedComments(
	files: Files,
	stateDir: string,
	max: number,
): void {
	const path = processedCommentsPath(stateDir);
	const read = files.read(path);
	if (read.kind !== "ok" || max <= 0) return;
	const kept = newestEntries(read.text, max);
	if (kept.length < read.text.length) files.writeAtomic(path, kept);
}
