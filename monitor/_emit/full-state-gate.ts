/** Is a full-state report due (contract 01 §7.2). Pure. */
import type { FullState } from "../_state/full-state.ts";
import { ageSeconds } from "../_sys/age.ts";

export interface FullStateConfig {
	/** 0 = full-state is off. */
	readonly intervalSeconds: number;
	readonly floorSeconds: number;
	readonly backoffEnabled: boolean;
	readonly backoffMaxSeconds: number;
}

export interface FullStateDecision {
	readonly due: boolean;
	/** New value of the idle anchor, when it is to be written. */
	readonly anchor?: number;
	/** New value of the stamp, when it is to be written. */
	readonly stamp?: number;
	readonly log?: string;
}

/** The cheap first question: before it is answered with yes, nothing is rendered. */
export function intervalElapsed(
	stamp: number | null,
	now: number,
	cfg: FullStateConfig,
): boolean {
	if (cfg.intervalSeconds <= 0) return false;
	const age = ageSeconds(now, stamp, cfg.intervalSeconds);
	return age === null || age >= cfg.intervalSeconds;
}

/** Called only when the interval has elapsed. `canonical` is the stripped text of what would be reported. */
export function decideFullState(
	canonical: string,
	memory: FullState,
	now: number,
	cfg: FullStateConfig,
): FullStateDecision {
	const { cached } = memory;
	if (cached === null || cached.text !== canonical)
		return { due: true, anchor: now };
	const anchor = memory.anchor ?? cached.mtime;
	const seeded = memory.anchor === null ? { anchor } : {};
	const floor = effectiveFloor(Math.max(0, now - anchor), cfg);
	const age = ageSeconds(now, cached.mtime, floor);
	// A report from the future is none: after a clock that stepped back nobody would be told until it caught up.
	if (age === null || age >= floor) return { due: true, ...seeded };
	return {
		due: false,
		stamp: now,
		...seeded,
		log: `full-state suppressed: unchanged for ${Math.round(age)}s (floor ${floor}s)`,
	};
}

/** The longest silence about an unchanged workspace, stretched by doubling while it stays unchanged. Seconds. */
export function effectiveFloor(
	idleSeconds: number,
	cfg: Pick<
		FullStateConfig,
		"floorSeconds" | "backoffEnabled" | "backoffMaxSeconds"
	>,
): number {
	const base = cfg.floorSeconds;
	const max = cfg.backoffMaxSeconds;
	if (!cfg.backoffEnabled || base <= 0 || max <= base) return base;
	let floor = base;
	while (idleSeconds >= 2 * floor && floor < max) floor *= 2;
	return Math.min(floor, max);
}
