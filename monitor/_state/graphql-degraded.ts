/** `graphql-degraded-<surface>`: a search that has been failing, and when that was last told (contract 02 §7.7). */
import { join } from "node:path";
import type { Files } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";
import type { Surface } from "./graphql-backoff.ts";
import { digits, parseKv, renderKv } from "./kv.ts";

export interface Degraded {
	/** First failure in a row, epoch seconds. */
	readonly first: number;
	readonly count: number;
	/** When the operator was last told, epoch seconds; 0 = never. */
	readonly announced: number;
}

function degradedPath(stateDir: string, surface: Surface): string {
	return join(stateDir, `graphql-degraded-${surface}`);
}

function parseDegraded(text: string): Degraded | null {
	const kv = parseKv(text);
	const first = digits(kv.get("first"));
	const count = digits(kv.get("count"));
	const announced = digits(kv.get("announced"));
	return first === null || count === null || announced === null
		? null
		: { first, count, announced };
}

/** Null: all is well, as far as anybody knows. A damaged record is one that begins now. */
export function readDegraded(
	doors: StateDoors,
	stateDir: string,
	surface: Surface,
): Degraded | null {
	const path = degradedPath(stateDir, surface);
	const read = readState(doors, stateDir, path, parseDegraded);
	if (read.kind === "ok") return read.value;
	return read.kind === "damaged"
		? { first: doors.clock.now(), count: 0, announced: 0 }
		: null;
}

/** Times in epoch seconds; `announced` 0 means not yet. Best effort. */
export function writeDegraded(
	files: Files,
	stateDir: string,
	surface: Surface,
	{ first, count, announced }: Degraded,
): void {
	files.writeAtomic(
		degradedPath(stateDir, surface),
		renderKv([
			["first", first],
			["count", count],
			["announced", announced],
		]),
	);
}

/** After a search that went through. */
export function removeDegraded(
	files: Files,
	stateDir: string,
	surface: Surface,
): void {
	files.remove(degradedPath(stateDir, surface));
}
