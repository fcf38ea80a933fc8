/** The archived copies of reports that an orchestrator had been given and took to its grave unread. */
import {
	readUnconfirmed,
	type UnconfirmedReport,
} from "../_state/unconfirmed-reports.ts";
import type { Doors } from "../_sys/doors.ts";
import { followArchives } from "./archived-reports.ts";
import { neverTaken, type QueuedReport } from "./report-queue.ts";
import { followSessions } from "./session-reports.ts";
import { forgetProven, sessionsOf, unproven } from "./unconfirmed.ts";

export interface UnreadReport {
	readonly path: string;
	/** Named in the brief, too: there it is read, and not named again. */
	readonly signature: string;
}

export interface UnreadAsk {
	/** The dead, and the one that follows, in the order in which they lived. */
	readonly sessionIds: readonly string[];
	/** Epoch seconds: what was given since then is with a process that lives. */
	readonly givenBefore: number;
	/** That session has a process of its own in another window. */
	readonly livesElsewhere: (sessionId: string) => boolean;
}

/** Oldest first; those whose archive is gone are left out. `could-not-look`: whether any is unread is not known. */
export type UnreadLook =
	| { readonly kind: "ok"; readonly unread: readonly UnreadReport[] }
	| { readonly kind: "could-not-look" };

export interface UnreadFinder {
	readonly find: (ask: UnreadAsk) => UnreadLook;
	/** Forgets the unconfirmed reports that a record has proven by now. */
	readonly forgetProven: (livingSessionId: string | null) => void;
}

type UnreadDoors = Pick<Doors, "files" | "clock" | "log" | "proc">;

const BLIND: UnreadLook = { kind: "could-not-look" };

/** For whoever looks again and again: a look at what has not changed reads nothing. */
export function unreadFinder(
	doors: UnreadDoors,
	stateDir: string,
): UnreadFinder {
	const look = followSessions();
	const archivesOf = followArchives(doors.files, stateDir);
	return {
		find: (ask) => {
			const read = readUnconfirmed(doors, stateDir);
			if (read.kind !== "ok") return BLIND;
			const theirs = unconfirmedOf(read.rows, ask);
			const sessions = look(doors, sessionsOf(theirs, ...ask.sessionIds));
			if (sessions === null) return BLIND;
			const queued = neverTaken(
				ask.sessionIds.flatMap((id) => sessions.get(id) ?? []),
			).filter(({ queuedAt }) => (queuedAt ?? 0) < ask.givenBefore);
			const lost = unproven(theirs, [...sessions.values()].flat());
			const signatures = oldestFirst(queued, lost);
			const paths = archivesOf(signatures);
			if (paths === null) return BLIND;
			const unread = signatures.flatMap((signature) => {
				const path = paths.get(signature);
				return path === undefined ? [] : [{ path, signature }];
			});
			return { kind: "ok", unread };
		},
		forgetProven: (living) => forgetProven(doors, stateDir, look, living),
	};
}

/** For a brief, which cannot wait: none where nobody could look. Whoever looks after the new process looks again. */
export function unreadReports(
	doors: UnreadDoors,
	stateDir: string,
	sessionIds: readonly string[],
): readonly UnreadReport[] {
	const found = unreadFinder(doors, stateDir).find({
		sessionIds,
		givenBefore: Number.POSITIVE_INFINITY,
		livesElsewhere: () => false,
	});
	return found.kind === "ok" ? found.unread : [];
}

/** As a brief names them. */
export function unreadRows(unread: readonly UnreadReport[]): readonly string[] {
	return unread.map(({ path, signature }) => `- ${path} (${signature})`);
}

/** Pure: those whose process has ended. */
function unconfirmedOf(
	reports: readonly UnconfirmedReport[],
	{ givenBefore, livesElsewhere }: UnreadAsk,
): readonly UnconfirmedReport[] {
	return reports.filter(
		({ at, sessionId }) =>
			at < givenBefore && (sessionId === null || !livesElsewhere(sessionId)),
	);
}

/** Pure: signatures, each once. */
function oldestFirst(
	queued: readonly QueuedReport[],
	unconfirmed: readonly UnconfirmedReport[],
): readonly string[] {
	const given = [
		...queued.map(({ signature, queuedAt }) => ({ signature, at: queuedAt })),
		...unconfirmed,
	].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
	return [...new Set(given.map(({ signature }) => signature))];
}
