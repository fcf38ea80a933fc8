/**
 * Damaged = there, but zero bytes long, torn, or not of its format (contract 01, opening words).
 * It is reported, set aside once, and never means "there is nothing".
 */
import type { Clock, Files, Log } from "../_sys/doors.ts";
import { appendAlert } from "./watcher-alerts.ts";

export type StateDoors = {
	readonly files: Files;
	readonly clock: Clock;
	readonly log: Log;
};

/** What a state file said. `damaged` has been reported and set aside already. */
export type StateRead<T> =
	| { readonly kind: "ok"; readonly value: T }
	| { readonly kind: "absent" }
	| { readonly kind: "damaged"; readonly why: string }
	| { readonly kind: "unreadable"; readonly why: string };

/** Renames the file to `<file>.damaged.<epoch>`, with one log line and one WARN row. */
export function setAside(
	doors: StateDoors,
	stateDir: string,
	path: string,
	why: string,
): void {
	const aside = `${path}.damaged.${doors.clock.now()}`;
	const moved = doors.files.rename(path, aside);
	const msg =
		moved.kind === "ok"
			? `state file ${path} is damaged (${why}); set aside as ${aside}`
			: `state file ${path} is damaged (${why}) and could not be set aside: ${moved.reason}`;
	doors.log.warn(msg);
	appendAlert(doors, stateDir, "WARN", msg);
}

/**
 * Reads a state file through `parse`, which answers null for text that is not of the format.
 * A zero-byte file is damaged.
 */
export function readState<T>(
	doors: StateDoors,
	stateDir: string,
	path: string,
	parse: (text: string) => T | null,
): StateRead<T> {
	const read = doors.files.read(path);
	if (read.kind === "absent") return read;
	if (read.kind === "unreadable")
		return { kind: "unreadable", why: read.reason };
	const value = read.text === "" ? null : parse(read.text);
	if (value !== null) return { kind: "ok", value };
	const why = read.text === "" ? "zero bytes" : "not of its format";
	setAside(doors, stateDir, path, why);
	return { kind: "damaged", why };
}
