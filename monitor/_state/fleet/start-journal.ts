/**
 * `T/var/start-watcher-<name>.journal.json`: what a start has made so far, written before each act; kept where something
 * is left (contract 09 §10.2, §10.3). The lock beside it keeps two starts of one name apart.
 */
import { join } from "node:path";
import type { Files, WriteResult } from "../../_sys/doors.ts";

/** What an act makes, with what its undoing needs. */
export type Thing =
	| {
			readonly step: "worktree";
			readonly path: string;
			readonly branch: string;
			readonly branchCreated: boolean;
			/** Claude Code was not told of the folder before: what it is told goes with the folder. */
			readonly newlyTrusted: boolean;
	  }
	| {
			readonly step: "params";
			readonly dir: string;
			readonly dirMade: boolean;
			readonly files: readonly string[];
	  }
	| {
			readonly step: "session";
			readonly session: string;
			readonly runId: string;
	  }
	| { readonly step: "launch"; readonly files: readonly string[] }
	| { readonly step: "scripts"; readonly files: readonly string[] }
	| { readonly step: "monitor"; readonly name: string; readonly target: string }
	| { readonly step: "tell"; readonly told: readonly string[] };
export type StepId = Thing["step"];

export interface JournalEntry {
	readonly thing: Thing;
	/** False: the act was begun, and whoever undoes must look. */
	readonly done: boolean;
}
export interface StartJournal {
	readonly name: string;
	readonly runId: string;
	readonly backend: string;
	readonly entries: readonly JournalEntry[];
}

/** Named by the watcher that is started. */
export function startJournalPath(thrumDir: string, name: string): string {
	return join(thrumDir, "var", `start-watcher-${name}.journal.json`);
}

/** A folder, as `lock-dir.ts` makes it. */
export function startLockDir(thrumDir: string, name: string): string {
	return join(thrumDir, "var", `start-watcher-${name}.lockdir`);
}

/** Flushed before the act that it announces, so that a killed start can be undone. */
export function writeStartJournal(
	files: Pick<Files, "writeAtomic">,
	thrumDir: string,
	journal: StartJournal,
): WriteResult {
	const text = `${JSON.stringify(journal, null, "\t")}\n`;
	const path = startJournalPath(thrumDir, journal.name);
	return files.writeAtomic(path, text, { mode: 0o600, fsync: true });
}

/** Once all stands, or all is undone. */
export function removeStartJournal(
	files: Pick<Files, "remove">,
	thrumDir: string,
	name: string,
): WriteResult {
	return files.remove(startJournalPath(thrumDir, name));
}
