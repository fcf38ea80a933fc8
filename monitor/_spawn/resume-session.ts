/** Which session a window's name means (contract 08 §8.6). Pure; the sources come in order of trust. */
import { isSessionId } from "../_state/orchestrator-session-id.ts";

export interface SessionSource {
	/** For the note when it is skipped. */
	readonly name: string;
	readonly sessionId: string | null;
}
export interface SessionGuard {
	/** The orchestrator's session; null when unknown. */
	readonly pinned: string | null;
	/** The window is the orchestrator's own: then its session may be resumed. */
	readonly isCoordinator: boolean;
}
export interface ResolvedSession {
	readonly sessionId: string | null;
	/** Sources that were passed over, and why. */
	readonly notes: readonly string[];
}

/**
 * The first source with a session id that is not the orchestrator's. By recency in a shared folder the orchestrator's
 * own session was once resumed into a worker's window.
 */
export function resolveSession(
	sources: readonly SessionSource[],
	guard: SessionGuard,
): ResolvedSession {
	const notes: string[] = [];
	for (const { name, sessionId } of sources) {
		if (sessionId === null || !isSessionId(sessionId)) continue;
		if (isForbidden(sessionId, guard)) {
			notes.push(
				`${name} names ${sessionId}, the orchestrator's own session: passed over`,
			);
			continue;
		}
		return { sessionId, notes };
	}
	return { sessionId: null, notes };
}

/** The orchestrator's session is for its own window alone. */
export function isForbidden(sessionId: string, guard: SessionGuard): boolean {
	return (
		!guard.isCoordinator &&
		guard.pinned !== null &&
		guard.pinned.toLowerCase() === sessionId.toLowerCase()
	);
}
