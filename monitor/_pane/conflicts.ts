/**
 * Witnesses that contradict each other (contract 03 §9.2). Reported in the line, never hidden: a line
 * with a conflict authorises no kill and no close. Pure.
 */
import type { PaneStateName } from "./types.ts";
import { factsOf, heartbeatSays, type Witnesses } from "./witnesses.ts";

export interface Conflict {
	/** `<witness>:<word>` that the verdict follows. */
	readonly winner: string;
	readonly loser: string;
}

/** All contradictions, in witness order; the line names the first. `state` is the verdict's. */
export function conflictsOf(
	w: Witnesses,
	state: PaneStateName,
): readonly Conflict[] {
	const found = [
		sessionAgainstHeartbeat(w),
		idleAgainstTurn(w, state),
		busyAgainstBox(w),
		blockedAgainstBox(w),
		shellAgainstTree(w),
	];
	return found.filter((c) => c !== null);
}

/** `shell` is idle with something behind it. */
function sessionAgainstHeartbeat(w: Witnesses): Conflict | null {
	const session = w.session.says;
	const heartbeat = w.heartbeat.says;
	if (session === null || session === "starting" || heartbeat === null)
		return null;
	const word = session === "shell" ? "idle" : session;
	if (word === heartbeat) return null;
	return { winner: `session:${session}`, loser: `heartbeat:${heartbeat}` };
}

function idleAgainstTurn(w: Witnesses, state: PaneStateName): Conflict | null {
	const facts = factsOf(w);
	if (!facts || facts.overlay !== null || !isWorking(w)) return null;
	const session = w.session.says;
	if (session === "idle" || session === "shell") {
		const said = `session:${session}`;
		return state === "busy"
			? { winner: "screen:busy", loser: said }
			: { winner: said, loser: "screen:busy" };
	}
	// Turns that no hook announces: an idle heartbeat always loses to the screen.
	return heartbeatSays(w) === "idle"
		? { winner: "screen:busy", loser: "heartbeat:idle" }
		: null;
}

function busyAgainstBox(w: Witnesses): Conflict | null {
	const facts = factsOf(w);
	const input = facts?.composer?.input;
	if (isWorking(w) || facts?.overlay) return null;
	if (input !== "blank" && input !== "ghost") return null;
	const who = saying(w, "busy");
	return who && { winner: `${who}:busy`, loser: "screen:idle" };
}

function blockedAgainstBox(w: Witnesses): Conflict | null {
	const facts = factsOf(w);
	if (!facts?.composer || facts.overlay !== null) return null;
	const who = saying(w, "blocked");
	const shown = isWorking(w)
		? "busy"
		: facts.composer.input === "typed"
			? "user-typing"
			: "idle";
	return who && { winner: `${who}:blocked`, loser: `screen:${shown}` };
}

function shellAgainstTree(w: Witnesses): Conflict | null {
	const { reliable, count } = w.shells;
	if (w.session.says !== "shell" || !reliable || count > 0) return null;
	return { winner: "session:shell", loser: "process:idle" };
}

function saying(
	w: Witnesses,
	word: "busy" | "blocked",
): "session" | "heartbeat" | null {
	if (w.session.says === word) return "session";
	return heartbeatSays(w) === word ? "heartbeat" : null;
}

/** A live turn or a queued message is on the screen. */
function isWorking(w: Witnesses): boolean {
	const activity = factsOf(w)?.activity;
	return (
		activity !== undefined &&
		(activity.turn.length > 0 || activity.queue !== null)
	);
}
