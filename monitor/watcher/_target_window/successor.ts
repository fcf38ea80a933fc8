/**
 * An orchestrator that a person has started anew, in the place of one that ended: what waited behind the last turn of the
 * one before, or was just given to it, is lost to it, and no brief of ours has named it. It is told once.
 */
import {
	type UnreadAsk,
	type UnreadLook,
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
	readonly unread: (ask: UnreadAsk) => UnreadLook;
	/** Nothing is lost so far: what the living session has proven by now need not be remembered. */
	readonly forgetProven: (sessionId: string | null) => void;
	/** The session that the pin names. */
	readonly pinned: () => string | null;
	readonly log: (text: string) => void;
	/** Begins to paste it, beside the loop. `end` hears whether it was delivered. */
	readonly tell: (text: string, end: (isDelivered: boolean) => void) => void;
}

/** After a paste that was refused (a draft in the box, a dialog), after a look that failed, and between looks for a late proof. */
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
	let proofNotBefore = 0;
	let isTelling = false;
	let blind = "";
	return (seen, livesElsewhere, now) => {
		const { pid, startedAt, sessionId } = seen;
		const key = `${pid} ${startedAt} ${sessionId}`;
		if (isTelling || parts.inFlight()) return;
		if (key === settled) {
			if (isTooSoon(now, proofNotBefore)) return;
			proofNotBefore = now + AGAIN_SECONDS;
			return parts.forgetProven(sessionId);
		}
		if (isTooSoon(now, notBefore)) return;
		const dead = [former, parts.pinned()]
			.filter((id) => id !== null)
			.filter((id) => id !== sessionId && !livesElsewhere(id));
		const ids = [...dead, ...(sessionId === null ? [] : [sessionId])];
		const found = parts.unread({
			sessionIds: [...new Set(ids)],
			givenBefore: startedAt,
			livesElsewhere,
		});
		if (found.kind === "could-not-look") {
			if (blind !== key) parts.log(CANNOT_LOOK);
			blind = key;
			notBefore = now + AGAIN_SECONDS;
			return;
		}
		const { unread } = found;
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

const CANNOT_LOOK =
	"unread reports of the session before: nobody could look; again each minute";

/** A clock that was set back does not make the wait longer. */
function isTooSoon(now: number, notBefore: number): boolean {
	return now < notBefore && notBefore - now <= AGAIN_SECONDS;
}

/** Names every unread report: nobody tells them again. */
function lossText(unread: readonly UnreadReport[]): string {
	return [
		"[nexus watcher] The session before you, or its process, ended while these reports waited behind its turn or had just been given to it, and no record shows that anybody has begun to read them:",
		...unreadRows(unread),
		"Nobody tells them again: read each, and act on it as on any other.",
		"",
	].join("\n");
}
