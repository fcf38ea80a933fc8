/** Which verdicts are logged: every five seconds the same would bury the rest (contract 04 §16). Pure. */
import { type Liveness, livenessLine } from "./decide.ts";

export interface ThrottleMemory {
	/** When the episode began, epoch seconds; null: healthy. It outlives a resubmit. */
	readonly since: number | null;
	readonly saidAt: number;
	readonly suppressed: number;
}

export const SILENT: ThrottleMemory = {
	since: null,
	saidAt: 0,
	suppressed: 0,
};

export interface Throttled {
	readonly memory: ThrottleMemory;
	readonly line: string | null;
}

/** `everySeconds`: gap between two lines of one episode. */
export function throttleLiveness(
	prev: ThrottleMemory,
	v: Liveness,
	now: number,
	everySeconds: number,
): Throttled {
	const text = livenessLine(v);
	const waited = prev.since === null ? 0 : Math.max(0, now - prev.since);
	switch (v.word) {
		case "healthy":
			return {
				memory: SILENT,
				line:
					prev.since === null ? null : `recovered after ${waited}s (${text})`,
			};
		case "respawn":
			return {
				memory: SILENT,
				line:
					prev.since === null
						? text
						: `waiting escalated to respawn after ${waited}s (${text})`,
			};
		case "resubmit": {
			const since = prev.since ?? now;
			return { memory: { ...prev, since }, line: text };
		}
		case "waiting":
		case "blocked-by-cooldown": {
			if (prev.since === null)
				return {
					memory: { since: now, saidAt: now, suppressed: 0 },
					line: `${text} (entered ${v.word}; updates every ${everySeconds}s)`,
				};
			if (now - prev.saidAt < everySeconds)
				return {
					memory: { ...prev, suppressed: prev.suppressed + 1 },
					line: null,
				};
			return {
				memory: { ...prev, saidAt: now, suppressed: 0 },
				line: `${text} (waited ${waited}s, ${prev.suppressed} suppressed)`,
			};
		}
	}
}
