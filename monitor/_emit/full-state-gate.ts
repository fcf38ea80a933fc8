/** Is a full-state report due (contract 01 §7.2). Pure. */
import type { FullState } from "../_state/full-state.ts";
import { ageSeconds } from "../_sys/age.ts";

export interface FullStateConfig {
	/** 0 = full-state is off. */
	readonly intervalSeconds: number;
	readonly floorSeconds: number;
	readonly backoffEnabled: boolean;
	readonly backoffMaxSeconds: number;
	/** Looks in a row that could not read everything before that is a change of the workspace. */
	readonly partialLooks: number;
}

/** What would be reported. */
export interface FullStateLook {
	/** Stripped of what changes by itself. */
	readonly canonical: string;
	/** A pane or a part of it could not be read. */
	readonly isPartial: boolean;
}

export interface FullStateDecision {
	readonly due: boolean;
	/** New value of the idle anchor, when it is to be written. */
	readonly anchor?: number;
	/** New value of the stamp, when it is to be written. */
	readonly stamp?: number;
	/** New count of partial looks in a row, when it is to be written. */
	readonly partialLooks?: number;
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

/** Called only when the interval has elapsed. */
export function decideFullState(
	look: FullStateLook,
	memory: FullState,
	now: number,
	cfg: FullStateConfig,
): FullStateDecision {
	const { cached } = memory;
	const looks = look.isPartial ? memory.partialLooks + 1 : 0;
	const counted = looks === memory.partialLooks ? {} : { partialLooks: looks };
	if (cached === null) return { due: true, anchor: now, ...counted };
	const isOtherwise = cached.text !== look.canonical;
	// One pane that one look could not read is no news; looked at again at the next cycle.
	const isBlink = look.isPartial && looks < cfg.partialLooks;
	if (isOtherwise && !isBlink) return { due: true, anchor: now, ...counted };
	const anchor = memory.anchor ?? cached.mtime;
	const seeded = memory.anchor === null ? { anchor } : {};
	const floor = effectiveFloor(Math.max(0, now - anchor), cfg);
	const age = ageSeconds(now, cached.mtime, floor);
	// A report from the future is none: after a clock that stepped back nobody would be told until it caught up.
	if (age === null || age >= floor) return { due: true, ...seeded, ...counted };
	if (isOtherwise)
		return {
			due: false,
			...seeded,
			...counted,
			log: `full-state withheld: not everything could be read (look ${looks} of ${cfg.partialLooks})`,
		};
	return {
		due: false,
		stamp: now,
		...seeded,
		...counted,
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
