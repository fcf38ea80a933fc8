/** Third witness: the heartbeat of the hooks (contract 03 §10). Pure. */
import type { Heartbeat, Wait } from "../_state/heartbeat.ts";

/** Seconds for which each kind of statement holds. */
export interface Horizons {
	/** A state, counted from the last activity. */
	readonly heartbeat: number;
	/** A state, counted from the end of the turn. */
	readonly turnEnd: number;
	/** A scheduled wake-up. */
	readonly wakeup: number;
	/** Declared waits: who waits for outside work is silent, so this one is long. */
	readonly waits: number;
}
export const DEFAULT_HORIZONS: Horizons = {
	heartbeat: 30,
	turnEnd: 1800,
	wakeup: 60,
	waits: 172_800,
};

export interface HeartbeatWitness {
	/** null: no reading. */
	readonly says: "busy" | "blocked" | "idle" | null;
	readonly fresh: boolean;
	readonly why: string;
	readonly state: string | null;
	/** Seconds since the anchor; null without one. */
	readonly age: number | null;
	/** Epoch seconds of a self-scheduled wake-up that lies ahead, else null. */
	readonly wakeupAt: number | null;
	/** Outside work declared not too long ago. */
	readonly waits: readonly Wait[];
	/** For the stamp's judgement; null when there is no heartbeat of this session. */
	readonly beat: Heartbeat | null;
}

export const NO_HEARTBEAT: HeartbeatWitness = {
	says: null,
	fresh: false,
	why: "no heartbeat file",
	state: null,
	age: null,
	wakeupAt: null,
	waits: [],
	beat: null,
};

/** `sessionId`: this pane's, or null when unknown; a heartbeat of another session is foreign. */
export function judgeHeartbeat(
	beat: Heartbeat | null,
	now: number,
	sessionId: string | null,
	horizons: Horizons,
): HeartbeatWitness {
	if (beat === null) return NO_HEARTBEAT;
	if (isForeign(beat.sessionId, sessionId))
		return { ...NO_HEARTBEAT, why: `session ${beat.sessionId} is another` };
	const { state, lastActivity } = beat;
	if (lastActivity === null)
		return { ...NO_HEARTBEAT, why: "no last_activity" };
	const isWithin = (anchor: number, horizon: number) =>
		Math.abs(now - anchor) <= horizon;
	const anchor = beat.lastTurnEnd ?? lastActivity;
	const horizon =
		beat.lastTurnEnd === null ? horizons.heartbeat : horizons.turnEnd;
	const fresh = isWithin(anchor, horizon);
	const means = state === null ? null : (STATEMENTS.get(state) ?? null);
	const hasWakeup =
		beat.scheduledWakeupAt !== null && beat.scheduledWakeupAt > now;
	return {
		says: fresh ? means : null,
		fresh,
		why: `state ${state ?? "none"}, age ${now - anchor} s, horizon ${horizon} s`,
		state,
		age: Math.max(0, now - anchor),
		wakeupAt:
			hasWakeup && isWithin(lastActivity, horizons.wakeup)
				? beat.scheduledWakeupAt
				: null,
		waits: isWithin(lastActivity, horizons.waits) ? beat.externalWaits : [],
		beat,
	};
}

/** Two known and different session ids. */
export function isForeign(theirs: string | null, ours: string | null): boolean {
	return theirs !== null && ours !== null && theirs !== ours;
}

const STATEMENTS: ReadonlyMap<string, "busy" | "blocked" | "idle"> = new Map([
	["busy", "busy"],
	["user_prompt", "busy"],
	["permission_prompt", "blocked"],
	["idle_prompt", "idle"],
]);
