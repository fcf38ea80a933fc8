/** What this run has made so far, in memory and on disk (contract 09 §10.2). */
import {
	type JournalEntry,
	type StartJournal,
	type Thing,
	writeStartJournal,
} from "../../monitor/_state/fleet/start-journal.ts";
import type { Files, WriteResult } from "../../monitor/_sys/doors.ts";

export interface Journal {
	entries(): readonly JournalEntry[];
	/** Before the act. */
	begin(thing: Thing): WriteResult;
	/** More is known of what is being made. */
	note(thing: Thing): void;
	done(): void;
	/** What stands there turned out to be somebody else's. */
	forget(): void;
}

/** Written at every change, so that a killed start can be undone by it. */
export function openJournal(
	files: Pick<Files, "writeAtomic">,
	thrumDir: string,
	head: Omit<StartJournal, "entries">,
): Journal {
	let entries: readonly JournalEntry[] = [];
	const write = (now: readonly JournalEntry[]) => {
		entries = now;
		return writeStartJournal(files, thrumDir, { ...head, entries });
	};
	const last = (change: Partial<JournalEntry>) => {
		const entry = entries.at(-1);
		if (entry !== undefined)
			write([...entries.slice(0, -1), { ...entry, ...change }]);
	};
	return {
		entries: () => entries,
		begin: (thing) => write([...entries, { thing, done: false }]),
		note: (thing) => last({ thing }),
		done: () => last({ done: true }),
		forget: () => void write(entries.slice(0, -1)),
	};
}
