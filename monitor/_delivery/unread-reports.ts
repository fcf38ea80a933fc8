/** The archived copies of reports that an orchestrator had been given and took to its grave unread. */
import { join } from "node:path";
import { archiveDir, isArchive } from "../_state/emit-archive.ts";
import type { Doors } from "../_sys/doors.ts";
import { queuedReports } from "./report-queue.ts";

export interface UnreadReport {
	readonly path: string;
	/** Named in the brief, too: there it is read, and not named again. */
	readonly signature: string;
}

/** A queue is some minutes old, and a busy watcher writes ten reports a minute. */
const NEWEST = 300;

/**
 * Oldest first; those whose archive is gone are left out. `sessionIds` in the order in which they lived. `queuedBefore`,
 * epoch seconds: what was queued since then waits in a process that lives.
 */
export function unreadReports(
	doors: Pick<Doors, "files" | "proc">,
	stateDir: string,
	sessionIds: readonly string[],
	queuedBefore = Number.POSITIVE_INFINITY,
): readonly UnreadReport[] {
	const lost = queuedReports(doors, sessionIds).filter(
		({ queuedAt }) => (queuedAt ?? 0) < queuedBefore,
	);
	if (lost.length === 0) return [];
	const dir = archiveDir(stateDir);
	const listed = doors.files.list(dir);
	const names = listed.kind === "ok" ? listed.names.filter(isArchive) : [];
	const archives = [...names]
		.sort()
		.slice(-NEWEST)
		.map((name) => join(dir, name));
	return lost.flatMap(({ signature }) => {
		const path = archives.findLast((archive) => {
			const read = doors.files.read(archive);
			return read.kind === "ok" && read.text.includes(signature);
		});
		return path === undefined ? [] : [{ path, signature }];
	});
}

/** As a brief names them. */
export function unreadRows(unread: readonly UnreadReport[]): readonly string[] {
	return unread.map(({ path, signature }) => `- ${path} (${signature})`);
}
