/**
 * An orchestrator that a person has started anew, in the place of one that ended: what waited behind the last turn of the
 * one before is lost to it, and no brief of ours has named it. It is told once.
 */
import {
	type UnreadReport,
	unreadRows,
} from "../../_delivery/unread-reports.ts";

/** The agent in the target's window. */
export interface Successor {
	readonly pid: number;
	/** Epoch seconds. */
	readonly startedAt: number;
	/** By its live session file; null: nobody says. */
	readonly sessionId: string | null;
}

export interface SuccessorParts {
	/** A respawn runs, and names them itself. */
	readonly inFlight: () => boolean;
	/** Of these sessions, in the order in which they lived; queued before that time. */
	readonly unread: (
		sessionIds: readonly string[],
		queuedBefore: number,
	) => readonly UnreadReport[];
	/** The session that the pin names. */
	readonly pinned: () => string | null;
	/** Begins to paste it, beside the loop. `end` hears whether it was delivered. */
	readonly tell: (text: string, end: (isDelivered: boolean) => void) => void;
}

/** After a paste that was refused: a draft in the box, a dialog. */
const AGAIN_SECONDS = 60;

/** `livesElsewhere`: that session has a process of its own in another window. `now` in epoch seconds. */
export type LookForLoss = (
	seen: Successor,
	livesElsewhere: (sessionId: string) => boolean,
	now: number,
) => void;

/** Remembers whom it has looked after; after a restart of the watcher it looks once more, and finds nothing new. */
export function lookForLoss(parts: SuccessorParts): LookForLoss {
	let settled = "";
	let former: string | null = null;
	let notBefore = 0;
	let isTelling = false;
	return (seen, livesElsewhere, now) => {
		const { pid, startedAt, sessionId } = seen;
		const key = `${pid} ${startedAt} ${sessionId}`;
		if (key === settled || isTelling || parts.inFlight()) return;
		if (now < notBefore && notBefore - now <= AGAIN_SECONDS) return;
		const dead = [former, parts.pinned()]
			.filter((id) => id !== null)
			.filter((id) => id !== sessionId && !livesElsewhere(id));
		const ids = [...dead, ...(sessionId === null ? [] : [sessionId])];
		const unread = parts.unread([...new Set(ids)], startedAt);
		const settle = () => {
			settled = key;
			former = sessionId ?? former;
		};
		if (unread.length === 0) return settle();
		isTelling = true;
		parts.tell(lossText(unread), (isDelivered) => {
			isTelling = false;
			if (isDelivered) settle();
			else notBefore = now + AGAIN_SECONDS;
		});
	};
}

/** Names every unread report: nobody tells them again. */
function lossText(unread: readonly UnreadReport[]): string {
	return [
		"[nexus watcher] The session before you, or its process, ended while these reports waited behind its turn, and nobody has begun to read them:",
		...unreadRows(unread),
		"Nobody tells them again: read each, and act on it as on any other.",
		"",
	].join("\n");
}
