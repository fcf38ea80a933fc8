/** Was the watcher away, or did a clock jump, since it last looked at a service (contract 06 §8.3, 00 C8)? */
import { type ClockReading, clockGap } from "../../_liveness/clock-gap.ts";
import type { Incident } from "../../_state/service-incident.ts";
import { ageSeconds } from "../../_sys/age.ts";
import type { Clock } from "../../_sys/doors.ts";

const AWAY_INTERVALS = 3;

export interface GapMemory {
	/** Counts the gaps. */
	generation: number;
	/** When the last tick ended: one that took long is no gap. */
	lastEnd: ClockReading | null;
	/** Of each service the gap since which it was looked at. */
	readonly seen: Map<string, number>;
}

/** At the start of a tick. */
export function noteTick(
	memory: GapMemory,
	clock: Pick<Clock, "now" | "monoMs">,
	afterGap: boolean,
	intervalSeconds: number,
): void {
	const gap =
		memory.lastEnd === null
			? null
			: clockGap(memory.lastEnd, reading(clock), {
					maxSleepSeconds: AWAY_INTERVALS * intervalSeconds,
					intervalSeconds,
				});
	if (afterGap || gap?.kind === "gap") memory.generation++;
}

/** From here the next tick measures. */
export function noteEnd(
	memory: GapMemory,
	clock: Pick<Clock, "now" | "monoMs">,
): void {
	memory.lastEnd = reading(clock);
}

function reading(clock: Pick<Clock, "now" | "monoMs">): ClockReading {
	return { wallSeconds: clock.now(), monoMs: clock.monoMs() };
}

/** Then nothing moves on at this look, whatever its verdict. */
export function wasAway(
	memory: GapMemory,
	service: string,
	prev: Incident | null,
	intervalSeconds: number,
	now: number,
): boolean {
	if ((memory.seen.get(service) ?? 0) < memory.generation) return true;
	if (prev?.kind !== "unhealthy" || prev.lastCheck === 0) return false;
	const limit = AWAY_INTERVALS * intervalSeconds;
	const age = ageSeconds(now, prev.lastCheck, limit);
	return age === null || age > limit;
}
