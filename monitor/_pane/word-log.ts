/** A status word that we do not know is told once per word and release (contract 03 §9.1): a new release has brought it. */
import type { Log } from "../_sys/doors.ts";
import type { SessionWitness } from "./session.ts";

/** Remembers what it has told for the life of the program. */
export function makeWordLog(
	log: Pick<Log, "warn">,
): (session: SessionWitness) => void {
	const told = new Set<string>();
	return ({ live, says, status, version }) => {
		if (!live || says !== null || status === null) return;
		const what = `session status ${JSON.stringify(status)} of Claude Code ${version ?? "?"}`;
		if (told.has(what)) return;
		told.add(what);
		log.warn(`pane reader: unknown ${what}; it counts as no statement`);
	};
}
