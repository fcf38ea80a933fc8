/** The files of the full-state cadence: last check, last change, looks that could not read everything, and what was last reported (contract 01 §7.2). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import { digits } from "./kv.ts";
import { mtimeOf } from "./peek.ts";

export interface FullState {
	/** Last check that found it not due, or last delivered emit; epoch seconds. */
	readonly stamp: number | null;
	/** When the workspace last changed; epoch seconds. */
	readonly anchor: number | null;
	/** Looks in a row, the newest included, that could not read everything. */
	readonly partialLooks: number;
	/** The stripped text of the last delivered full-state report, and when it was written (epoch seconds). */
	readonly cached: { readonly text: string; readonly mtime: number } | null;
}

function fullStateStampPath(stateDir: string): string {
	return join(stateDir, "last-full-state-emit.ts");
}
function fullStateAnchorPath(stateDir: string): string {
	return join(stateDir, "last-full-state-change.ts");
}
function partialLooksPath(stateDir: string): string {
	return join(stateDir, "full-state-partial-looks");
}
function fullStateCanonicalPath(stateDir: string): string {
	return join(stateDir, "last-full-state-canonical.txt");
}

/** Epoch seconds; null for what was never written. A damaged file is set aside and counts as never written. */
export function readFullState(doors: StateDoors, stateDir: string): FullState {
	const canonical = fullStateCanonicalPath(stateDir);
	const text = readState(doors, stateDir, canonical, (t) => t);
	const mtime = mtimeOf(doors.files, canonical);
	return {
		stamp: readNumber(doors, stateDir, fullStateStampPath(stateDir)),
		anchor: readNumber(doors, stateDir, fullStateAnchorPath(stateDir)),
		partialLooks: readNumber(doors, stateDir, partialLooksPath(stateDir)) ?? 0,
		cached:
			text.kind === "ok" && mtime !== null ? { text: text.value, mtime } : null,
	};
}

/** Writes what is given; epochs in seconds. */
export function writeFullState(
	files: Files,
	stateDir: string,
	next: {
		readonly stamp?: number;
		readonly anchor?: number;
		readonly partialLooks?: number;
		readonly canonical?: string;
	},
): void {
	if (next.stamp !== undefined)
		files.writeAtomic(fullStateStampPath(stateDir), `${next.stamp}\n`);
	if (next.anchor !== undefined)
		files.writeAtomic(
			fullStateAnchorPath(stateDir),
			`${Math.floor(next.anchor)}\n`,
		);
	if (next.partialLooks !== undefined)
		files.writeAtomic(partialLooksPath(stateDir), `${next.partialLooks}\n`);
	if (next.canonical !== undefined)
		files.writeAtomic(fullStateCanonicalPath(stateDir), next.canonical);
}

function readNumber(
	doors: StateDoors,
	stateDir: string,
	path: string,
): number | null {
	const read = readState(doors, stateDir, path, (text) => digits(text.trim()));
	return read.kind === "ok" ? read.value : null;
}
