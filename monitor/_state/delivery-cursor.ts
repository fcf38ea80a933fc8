/** `last-delivery-cursor.txt`: GUID of the last delivery of the App's log that is done with (contract 02 §6). */
import { basename, join } from "node:path";
import type { Files, WriteResult } from "../_sys/doors.ts";
import { readState, type StateDoors } from "./damaged.ts";

export type CursorRead =
	| { readonly kind: "at"; readonly guid: string }
	| { readonly kind: "first-run" }
	/** There was one, and nobody knows what it said: the log is walked, never skipped. */
	| { readonly kind: "unknown" };

function deliveryCursorPath(stateDir: string): string {
	return join(stateDir, "last-delivery-cursor.txt");
}

/** `unknown` is not `first-run`: with a cursor that cannot be read, nothing may be skipped as old. */
export function readDeliveryCursor(
	doors: StateDoors,
	stateDir: string,
): CursorRead {
	const path = deliveryCursorPath(stateDir);
	const read = readState(doors, stateDir, path, parseDeliveryCursor);
	if (read.kind === "ok") return { kind: "at", guid: read.value };
	if (read.kind !== "absent") return { kind: "unknown" };
	// Until a cursor is written again, the one that was set aside still says that this is no first run.
	const listed = doors.files.list(stateDir);
	const damaged = `${basename(path)}.damaged.`;
	return listed.kind === "ok" &&
		listed.names.some((name) => name.startsWith(damaged))
		? { kind: "unknown" }
		: { kind: "first-run" };
}

/** Only once everything up to `guid` is worked off. */
export function writeDeliveryCursor(
	files: Files,
	stateDir: string,
	guid: string,
): WriteResult {
	return files.writeAtomic(deliveryCursorPath(stateDir), `${guid}\n`);
}

/** Null for text that is not one word on one line. */
function parseDeliveryCursor(text: string): string | null {
	return /^([\x21-\x7e]{1,200})\n?$/.exec(text)?.[1] ?? null;
}
