/** Writing to `action-log.jsonl` (contract 05 §9.1): one compact object a line, every value a string. */
import type { Clock, Files, WriteResult } from "../_sys/doors.ts";
import { actionLogPath } from "./action-log.ts";

export interface NewEvent {
	readonly agent: string;
	readonly event: string;
	/** Left out when empty. */
	readonly note?: string;
	/** In this order; a key that comes again wins with its last value. Readers of the log know no empty fields. */
	readonly extras?: readonly (readonly [key: string, value: string])[];
}

/** Keys that name the event itself; an extra cannot take their place. */
const RESERVED: readonly string[] = ["ts", "agent", "event", "note"];

/** Keys that every row has of itself; a caller may not set them. */
export function isReservedKey(key: string): boolean {
	return RESERVED.includes(key);
}

/** The line, without its newline. `iso`: local time with numeric offset, to the second. Extras with an empty or a reserved key are skipped. */
export function renderEvent(iso: string, e: NewEvent): string {
	const note: [string, string][] = e.note ? [["note", e.note]] : [];
	const extras = (e.extras ?? []).filter(
		([key]) => key !== "" && !isReservedKey(key),
	);
	const members = new Map([
		["ts", iso],
		["agent", e.agent],
		["event", e.event],
		...note,
		...extras,
	]);
	// Not an object: its keys that are numbers would move to the front.
	const written = [...members].map(
		([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
	);
	return `{${written.join(",")}}`;
}

/** One write of a whole line; a torn tail costs only itself. */
export function appendEvent(
	{ files, clock }: { readonly files: Files; readonly clock: Clock },
	stateDir: string,
	event: NewEvent,
): WriteResult {
	const line = `${renderEvent(clock.iso(), event)}\n`;
	files.mkdir(stateDir);
	return files.append(actionLogPath(stateDir), line, { mode: 0o640 });
}
